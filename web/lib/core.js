// lerpmesh/core: loads and samples models, without archives, scripts and drawing. core.d.ts is the manual.

export { LerpmeshError } from "./errors.js";
export { open, readImage, useModule } from "./loading.js";
