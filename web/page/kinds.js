// Kinds of files by name.
export const ARCHIVE = /\.(pk3|pak|zip)$/i;
/** Other programs' models, which others.js converts. */
export const OTHER = /\.(glb|gltf)$/i;
