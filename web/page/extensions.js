// Files by extension.
export const ARCHIVE = /\.(pk3|pak|zip)$/i;
/** Models that convert.js converts. */
export const GLTF = /\.(glb|gltf)$/i;
/** Images and .skin files, which are skins of the current model if they are opened alone. */
export const SKIN = /\.(pcx|png|jpe?g|tga|webp|gif|bmp|avif|skin)$/i;
