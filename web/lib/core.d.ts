import type { Bytes, FileOptions, Model, OpenOptions, Part, RgbaImage, Source, Surface, WasmSource } from "./index.js";

export { LerpmeshError } from "./index.js";

/**
 * Options of open(). A texture is one of `files` with the file name that the model names, also with the extension png,
 * jpg, tga or pcx. With other options or files, such as scripts, open the model with lerpmesh.
 */
export interface CoreOptions
  extends Pick<
      OpenOptions,
      "alpha" | "glCommands" | "images" | "normals" | "onProgress" | "repair" | "signal" | "strict" | "transparent255"
    >,
    FileOptions {}

export type CoreSurface = Omit<Surface, "uvMap">;

/** The model of a CoreModel. */
export interface CorePart
  extends Omit<Part, "check" | "encode" | "infoText" | "mark" | "model" | "skeleton" | "surfaces"> {
  readonly model: CoreModel;
  readonly surfaces: readonly CoreSurface[];
}

type Complete =
  | "check"
  | "convert"
  | "encode"
  | "showSkeletons"
  | "skeleton"
  | "skeletons"
  | "toGlb"
  | "toGltf"
  | "toObj"
  | "toObjFiles";

/** An open model: a Model without the methods that check and write. */
export interface CoreModel extends Omit<Model, Complete | "parts" | "surfaces"> {
  readonly parts: readonly CorePart[];
  readonly surfaces: readonly CoreSurface[];
  /** Opens the same model with lerpmesh. */
  full(): Promise<Model>;
}

/**
 * Opens one model, as open() of lerpmesh does, with a module of half the size. It reads no archives, scripts, .skin
 * files and animation.cfg, and does not draw on stages.
 */
export function open(source: Source, options?: CoreOptions): Promise<CoreModel>;

/** Decodes a PCX, BMP or TGA image. The browser decodes PNG and JPEG, or else lerpmesh. */
export function readImage(source: Bytes): Promise<RgbaImage>;

/** Replaces the package's core.wasm, as useModule() of lerpmesh does. */
export function useModule(source: WasmSource): void;
