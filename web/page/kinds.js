// What a file is, by its name.
export const ARCHIVE = /\.(pk3|pak|zip)$/i;
/** Other programs' models, which others.js makes ours of. */
export const OTHER = /\.(glb|gltf)$/i;
