// Files by extension.
export const ARCHIVE = /\.(pk3|pak|zip)$/i;
/** Models that convert.js converts. */
export const GLTF = /\.(glb|gltf)$/i;
