/// <reference lib="esnext.disposable" />
/** An error. `code` is a name from docs/reference/diagnostics.md ("bad-offset"), or "trap" or "disposed". */
export class LerpmeshError extends Error {
  readonly code: string;
  /** The byte of the file that caused the error, or 0. */
  readonly offset: number;
  /** The section of the file, such as "header" or "triangles", or null. */
  readonly section: string | null;
}

export type Bytes = ArrayBuffer | ArrayBufferView;
import type { ConvertOptions } from "./options.js";
export type { ConvertOptions } from "./options.js";

/** The formats that are read; all but mds are written. */
export type Format = "md2" | "md3" | "mdc" | "mdl" | "mds";

/** Options of functions that take time. */
export interface AbortOptions {
  /** Aborts: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}
/** Options of functions that compute for long. */
export interface ProgressOptions extends AbortOptions {
  /**
   * Called during the call with the finished share, from 0 to 1. It ends the call if it throws or aborts the signal.
   */
  onProgress?(share: number): void;
}
/** Options of functions that fetch files. */
export interface FetchOptions extends AbortOptions {
  /** Receives the bytes fetched so far, and their total; 0 if a server does not send the size of a file. */
  onProgress?: (progress: { loaded: number; total: number }) => void;
}
/** A file that is read on demand, in pieces: for example on a server that supports ranges, or in a database. */
export interface Reader {
  readonly size: number;
  read(offset: number, length: number, options?: AbortOptions): Promise<Uint8Array>;
}
/** Bytes, a Blob or File, a server's Response, or a URL; in Node also a path. */
export type Source = Bytes | Blob | Response | string | URL;

/** A model to attach. */
export interface Attachment {
  /**
   * A tag of the most recently attached model that has it, or of the first model if that is a hand. "PARENT:TAG" names
   * the model by its file's name without the extension. If omitted, the model shows the first part's frames.
   */
  tag?: string;
  path: string;
  /** The clip that it plays at rest, instead of its first frame. */
  clip?: string;
}

/** Options of open(); the same as those of `lerpmesh convert`. */
export interface OpenOptions extends FetchOptions {
  /** Folders or archives to search for textures, shader scripts and skins. */
  games?: string[];
  /** "IMAGE", "SURFACE=IMAGE", "FILE.skin" or "NAME", as the command's --skin. */
  skins?: string | string[];
  attach?: Attachment[];
  /** A clips file, "none" or "quake2". See the command's --clips-from. */
  clips?: string;
  palette?: string;
  /** The skin of the first part, by its number in the model's own list, from 1. */
  listedSkin?: number;
  normals?: "auto" | "stored" | "computed";
  alpha?: "auto" | "opaque" | "mask" | "blend";
  /** "pixels" decodes images, "found" only finds their files, "none" skips them. */
  images?: "pixels" | "found" | "none";
  /** Opens the intact parts of a damaged file. */
  repair?: boolean;
  /** Rejects a file with any damage, even if no engine notices it. */
  strict?: boolean;
  /** Also opens the other models of a player, and other related models. */
  related?: boolean;
  /** Makes index 255 of a PCX image transparent. */
  transparent255?: boolean;
  /** Takes an MD2's triangles from its GL commands. */
  glCommands?: boolean;
}

/** A model's file name and the files around it. */
export interface FileOptions {
  /** The file name. The format is recognised from the bytes, not from the extension. */
  name?: string;
  /** Sidecar files by name: textures, .skin files, animation.cfg. */
  files?: Record<string, Source> | Map<string, Source> | [string, Source][];
}

/**
 * Opens one model. In Node, a path or a file: URL is opened with the files in its folder, as by the command, unless
 * `name` or `files` is given.
 */
export function open(source: Source, options?: OpenOptions & FileOptions): Promise<Model>;

/** A model found by Files.models(). */
export interface ModelEntry {
  path: string;
  /** The end of `path`, below the listed folder or archive, or null. */
  relativePath: string | null;
  /** The player's folder, if this is a player's body. Files.open() opens it as the complete player. */
  player: string | null;
  /** Of a weapon's other file: the tag that holds it, "v_NAME_hand:tag_barrel2". */
  tag: string | null;
  /** True for another file of such a player: its other parts, and their distant versions. */
  ofPlayer: boolean;
  /** The reason if the path cannot be read, or null. */
  problem: string | null;
}

/** A file system of your own. It is synchronous, because the C code is. */
export interface FileSystem {
  /** "other" is a pipe or a device. */
  kind(path: string): "file" | "folder" | "other" | undefined;
  list(path: string): Iterable<string>;
  open(path: string): { size: number; read(offset: number, target: Uint8Array): number; close?(): void };
  /** True if open() or read() failed because data is missing. After fetch() gets the data, the calls are repeated. */
  readonly missing?: boolean;
  fetch?(options?: AbortOptions): Promise<void>;
}

/** Files to open models from. They stay usable after a trap. A path in an archive is "ARCHIVE:PATH". */
export class Files {
  static from(entries: Iterable<[string, Source | Reader]> | FileSystem, options?: FetchOptions): Promise<Files>;
  /** Lists the models in a folder (default: all) or archive, or those that match a pattern ("pak0.pk3:*.md3"). */
  models(path?: string, options?: FetchOptions): Promise<ModelEntry[]>;
  read(path: string, options?: FetchOptions): Promise<Uint8Array<ArrayBuffer>>;
  open(path: string, options?: OpenOptions): Promise<Model>;
  /** Reports all problems of a file, as `lerpmesh check --json` does, also of a damaged one. */
  check(path: string, options?: CheckOptions): Promise<Report>;
  /** Releases the files. Open models stay valid. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** A file system in memory. */
export class MemoryFiles implements FileSystem {
  add(path: string, content: Uint8Array | Blob | Reader): void;
  makeFolder(path: string): void;
  remove(path: string): void;
  kind(path: string): "file" | "folder" | undefined;
  list(path: string): Iterable<string>;
  open(path: string): { size: number; read(offset: number, target: Uint8Array): number };
  readonly missing: boolean;
  fetch(options?: AbortOptions): Promise<void>;
}

export interface Clip {
  readonly name: string;
  /** The index of its part. */
  readonly part: number;
  /** The index of the clip in that part. */
  readonly number: number;
  /** The index of its first frame. */
  readonly first: number;
  /** The number of frames. */
  readonly count: number;
  readonly fps: number;
  /** The number of frames at the end that repeat; 0: the clip plays once. */
  readonly loopFrames: number;
  /** In seconds. */
  readonly duration: number;
}

export interface Skin {
  readonly name: string;
  /** The value for OpenOptions.skins, or null if this is skin number `skin` of the model's own list. */
  readonly option: string | null;
  readonly skin: number;
}

/** A message about opening the model: a missing texture, for example. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: "note" | "warning" | "error";
  readonly subject: "model" | "clips" | "texture";
  readonly path: string;
  readonly message: string;
}

export interface RgbaImage {
  width: number;
  height: number;
  /** RGBA, rows from top to bottom. */
  pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** A problem of a file, as `lerpmesh check` reports it. */
export interface Problem {
  code: string;
  severity: "note" | "warning" | "error";
  offset: number;
  section: string;
  surface: number;
  index: number;
  message: string;
}
export interface Report {
  format: string | null;
  problems: Problem[];
  counts: { errors: number; warnings: number; notes: number };
}
export interface CheckOptions extends FetchOptions {
  /** The game engine whose limits apply. Some engines demand files around the model; their absence is an error, too. */
  engine?: Engine;
  /** Reports damage that no engine notices as an error. */
  strict?: boolean;
}
export type Engine = "any" | "quake" | "glquake" | "quake2" | "q2pro" | "rtcw" | "rtcw-sp" | "et" | "quake3" | "ufoai";

/** Arrays that sample() fills: 3 numbers per vertex, so each needs at least 3 * `surface.vertices`. */
export interface SampleTarget {
  positions?: Float32Array;
  normals?: Float32Array;
}

/** Playback options. */
export interface Playback {
  /** What to do at the end of a clip. "clip": as the clip's own loop flag says. */
  mode: "clip" | "loop" | "once" | "ping-pong";
  backwards: boolean;
  interpolate: boolean;
  /** A factor for the clip's rate; 0 means 1. */
  speed: number;
}

/** The properties and methods of a model's first part. */
type FirstPart = Pick<
  Part,
  "name" | "format" | "surfaces" | "sample" | "tag" | "bounds" | "check" | "encode" | "skeleton" | "toMeshData"
>;

export interface Model extends FirstPart {}
/**
 * An open scene: one model, or several attached to each other's tags. All methods of Model, Part and Surface that
 * return promises are in a second module, which is fetched on first use.
 */
export class Model {
  readonly parts: readonly Part[];
  readonly clips: readonly Clip[];
  /** The name of the clip that shows the model at rest: the one to show first. */
  readonly restClip: string | null;
  readonly skins: readonly Skin[];
  /** The index in `skins` of the skin in use, or -1. */
  readonly currentSkin: number;
  /** The game that the files belong to, if known. */
  readonly game: string | null;
  /** Messages about opening the model. */
  readonly diagnostics: readonly Diagnostic[];

  /** The properties `frames`, `tags` and `warnings` are those of the first part. */
  readonly frames: readonly { index: number; name: string; min: number[]; max: number[] }[];
  readonly tags: readonly string[];
  readonly warnings: readonly { code: string; count: number; message: string }[];

  /** Poses all parts at a time in a clip; without a clip, on their first frames. An unknown clip is an error. */
  pose(clip?: string | null, seconds?: number, options?: { interpolate?: boolean }): void;
  /** Poses one part between two frames. */
  poseFrames(frameA: number, frameB?: number, t?: number, part?: number, hidden?: boolean): void;

  /**
   * Starts a clip; null plays all frames of the first part. Then call advance(), and draw or sample. If names are
   * joined with + ("LEGS_RUN+TORSO_ATTACK"), each part plays the first one that it has. `clip` is then the clip of the
   * first such part, with the joined name.
   */
  play(clip: string | Clip | null): void;
  /** Returns true if play() accepts this name. */
  hasClip(name: string): boolean;
  readonly clip: Clip | null;
  playing: boolean;
  /** Advances playback. Returns true if anything moved. */
  advance(seconds: number): boolean;
  /** The position on the clip's timeline, in frames. */
  position: number;
  /** The time since the clip started, in seconds. */
  readonly seconds: number;
  /** Pauses, then moves by a number of frames. */
  step(frames: number): void;
  get playback(): Playback;
  set playback(playback: Partial<Playback>);

  /**
   * Converts the model with its parts to a format: "glb", "gltf", "obj", "iqm" or that of a model. Returns all files,
   * the main one first, and what was lost. toGlb, toObj, toGltf and toObjFiles take the same options.
   */
  convert(format: Format | "glb" | "gltf" | "obj" | "iqm", options?: ModelConvertOptions): Promise<Converted>;
  toGlb(options?: ModelConvertOptions): Promise<Uint8Array<ArrayBuffer>>;
  toObj(options?: ModelConvertOptions): Promise<string>;
  /** Exports a .gltf with its .bin and its images: names and bytes. */
  toGltf(options?: ModelConvertOptions): Promise<[string, Uint8Array<ArrayBuffer>][]>;
  /** Exports a pose as OBJ with its materials and images: names and bytes. */
  toObjFiles(options?: ModelConvertOptions): Promise<[string, Uint8Array<ArrayBuffer>][]>;
  /** Finds the skeletons of all parts, in the order of `parts`. */
  skeletons(options?: SkeletonOptions): Promise<Skeleton[]>;
  /** Makes stages draw skeletons over the model; null: none. */
  showSkeletons(skeletons: SkeletonChoice | null, options?: AbortOptions): Promise<void>;
  /** Returns a decoded image by its number: Part.textures[].image or Part.materials[].texture. */
  image(number: number): RgbaImage;
  /** Frees the model's memory. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** One model of the scene. */
export class Part {
  readonly model: Model;
  readonly index: number;
  readonly name: string;
  readonly path: string;
  readonly format: string;
  /** The index of the part whose tag `parentTag` it is attached to, or -1. */
  readonly parent: number;
  readonly parentTag: string | null;
  /** True if it always shows the same frame as its parent: a weapon of an MD2 player. */
  readonly sharesFrames: boolean;
  /** The number of frames. */
  readonly frames: number;
  /** The clip that it plays while other parts play a clip that it lacks. */
  readonly idle: string | null;
  readonly textures: readonly { name: string; path: string | null; shader: string | null; image: number }[];
  /** The material of each surface. `texture` is a number for Model.image, or -1. */
  readonly materials: readonly {
    name: string;
    texture: number;
    alpha: "opaque" | "mask" | "blend";
    twoSided: boolean;
  }[];
  /** The output of `lerpmesh info --json`, without the numbers of problems, which `check` has. */
  readonly info: Record<string, unknown>;
  /** The output of `lerpmesh info`. */
  readonly infoText: string;
  readonly surfaces: readonly Surface[];
  readonly pose: { frameA: number; frameB: number; t: number; hidden: boolean };
  /** The world transform, 12 numbers: origin, then x, y and z axes. */
  readonly worldTransform: Float32Array<ArrayBuffer>;
  /** Returns a tag's transform relative to the part, in the same layout. */
  tag(name: string): Float32Array<ArrayBuffer>;
  bounds(first?: number, count?: number): { min: number[]; max: number[] };
  /** Computes positions and normals of a surface in the current pose. */
  sample(surface: number, target: SampleTarget): void;
  /** Reports all problems of the file, as `lerpmesh check --json` does. */
  check(options?: CheckOptions): Promise<Report>;
  /** Encodes the part in another format, or again in its own. MDL gets the part's texture as its skin. */
  encode(format: Format, options?: EncodeOptions): Promise<Encoded>;
  /**
   * Returns all frames as plain arrays. If the part shares its parent's frames, they are those that both have, with the
   * parent's clips. Needs only the first module.
   */
  toMeshData(options?: MeshDataOptions): Promise<MeshData>;
  /**
   * Finds a skeleton in the movement of the vertices. The call blocks its thread, for seconds if the part is large: in
   * a page, call it in a worker. `onProgress` is called meanwhile; if it aborts the signal or throws, the call ends.
   */
  skeleton(options?: SkeletonOptions): Promise<Skeleton>;
  /**
   * Makes stages mark the locations of `count` problems on the model, from number `first` of check(); 0 clears the
   * marks. Returns the first frame that a problem names, or -1, the number of marked triangles, and four numbers of
   * each: the index of its surface, and three vertices of that surface.
   */
  mark(
    first: number,
    count?: number,
    options?: Omit<CheckOptions, "onProgress">,
  ): Promise<{ frame: number; triangles: number; marks: number[] }>;
}

export interface SkeletonOptions extends ProgressOptions {
  /** The largest number of joints, 1 to 128. Default: 40. */
  maxBones?: number;
  /** The largest error that is accepted, in units. Default: twice the file's rounding, or 0.1 % of the size. */
  maxError?: number;
  /** True: no joint but the root changes its distance to its parent. */
  constantLengths?: boolean;
}
/** A joint. Positions are those of the rest pose, in the part's space. */
export interface Joint {
  /** "hips", "knee.L" (the model's left), ...; otherwise "bone.07", or "bone.07.L" and "bone.07.R" for a pair. */
  name: string;
  /** An index in `joints` below its own; -1: the root, which is joint 0. */
  parent: number;
  position: [number, number, number];
  /** True if it changes its distance to its parent. */
  translates: boolean;
  /** The index of the joint on the other side; its own if there is none. */
  mirror: number;
}
/** A skeleton that was found for a part. structuredClone and postMessage copy it. */
export interface Skeleton {
  joints: Joint[];
  /** "warned": usable, but `reason` names what is off. "refused": no skeleton explains the movement. */
  verdict: "accepted" | "warned" | "refused";
  /** A sentence; "" if it is accepted. */
  reason: string;
  /** The largest distance of a vertex from the model, in units. */
  maxError: number;
  /** The root mean square error of a coordinate, in units. */
  rmsError: number;
  /** The part of it that the file's rounding causes. */
  quantum: number;
  clips: { name: string; maxError: number; rmsError: number }[];
  /** The whole skeleton with its animation, in a form that only the same version of lerpmesh reads. */
  bytes: Uint8Array<ArrayBuffer>;
}
/** Skeletons of all parts; or true or options, to find them. Parts whose skeleton is refused have none. */
export type SkeletonChoice = boolean | SkeletonOptions | (Skeleton | null)[];

export interface Surface {
  readonly name: string;
  readonly materials: readonly string[];
  readonly vertices: number;
  readonly triangles: number;
  /** Three indices per triangle, clockwise seen from outside; a copy. */
  readonly indices: Uint32Array<ArrayBuffer>;
  /** Two texture coordinates per vertex, 0 to 1 from the image's top left; a copy. */
  readonly st: Float32Array<ArrayBuffer>;
  /** The index in the file of each vertex; a copy. */
  readonly fileVertices: Uint32Array<ArrayBuffer>;
  /** Draws the texture coordinates over the texture. */
  uvMap(): Promise<RgbaImage>;
}

/** Reports every problem of a file, even of a damaged one. `files`: the files around it, which some engines demand. */
export function check(source: Source, options?: CheckOptions & FileOptions): Promise<Report>;

export interface Field {
  offset: number;
  name: string;
  value: string | number;
  meaning: string;
}
/** A lump: `count` elements of `element_size` bytes. */
export interface Lump {
  name: string;
  offset: number;
  count: number;
  element_size: number;
  size: number;
  end: number;
  /** True if it reaches past the end of a damaged file. */
  outside: boolean;
  /** The fields, if it is a header. */
  fields?: Field[];
}
export interface Layout {
  format: string;
  bytes: number;
  fields: Field[];
  lumps: Lump[];
  /** Bytes in no lump ("gap"), in several lumps ("overlap"), or after the end that the header names ("trailing"). */
  spans: {
    kind: "gap" | "overlap" | "trailing";
    offset: number;
    size: number;
    before: string | null;
    after: string | null;
  }[];
}
/** Describes the layout of a file, even of a damaged one. */
export function examine(source: Bytes): Promise<Layout>;
/** Formats one lump of a file as a text table. */
export function examineLump(source: Bytes, lump: string): Promise<string>;

/** Decodes a PCX, BMP, PNG, JPEG or TGA image. */
export function readImage(source: Bytes): Promise<RgbaImage>;
export function writePng(
  image: Omit<RgbaImage, "pixels"> & { pixels: Uint8ClampedArray | Uint8Array },
): Promise<Uint8Array<ArrayBuffer>>;
/** Converts a self-contained glTF (.glb or .gltf) with its images, as `lerpmesh convert` does. */
export function fromGltf(source: Bytes, format: Format, options?: EncodeOptions): Promise<Encoded>;

// ---- Plain arrays ------------------------------------------------------------------------------

export interface MeshDataOptions {
  /** The axes. "z" (default): as in the file. "y": as in glTF and most 3D libraries. */
  up?: "z" | "y";
  /** False: without images. */
  images?: boolean;
}

/**
 * A part as plain arrays, for other 3D libraries. Both sets of axes are right-handed: x forward, y left, z up ("z"), or
 * x left, y up, z forward ("y"). Lengths are in the model's units (an inch by convention).
 */
export interface MeshData {
  name: string;
  up: "z" | "y";
  /** Six numbers: the scale and translate of an MDL or MD2 whose frames share them, on the file's axes. */
  grid: ArrayLike<number> | null;
  /** The names of the frames. */
  frames: string[];
  surfaces: SurfaceData[];
  clips: ClipData[];
  tags: TagData[];
  /** The images of the materials. */
  images: RgbaImage[];
}
export interface SurfaceData {
  name: string;
  /** Three vertices per triangle, counter-clockwise seen from outside. */
  indices: Uint32Array<ArrayBuffer>;
  /** Two texture coordinates per vertex, 0 to 1 from the image's top left. */
  uvs: Float32Array<ArrayBuffer>;
  /** For each frame, 3 numbers per vertex. The arrays are views of one buffer, frame after frame. */
  positions: Float32Array<ArrayBuffer>[];
  /** In the same layout; unit vectors. */
  normals: Float32Array<ArrayBuffer>[];
  material: MaterialData;
}
export interface MaterialData {
  /** The texture's path or the shader's name, as in the file; "" if it has none. */
  name: string;
  /** The index in `images`, or -1. */
  image: number;
  alpha: "opaque" | "mask" | "blend";
  twoSided: boolean;
}
export interface ClipData {
  name: string;
  /** The index of its first frame. */
  first: number;
  /** The number of frames. */
  count: number;
  fps: number;
  /** The number of frames at the end that repeat; 0: the clip plays once. */
  loopFrames: number;
  /** In seconds. */
  duration: number;
  /** True if it plays from its last frame to its first. */
  backwards?: boolean;
  /** The seconds at which each frame begins, and at which the last one ends, if frames differ in length. */
  times?: ArrayLike<number>;
}
export interface TagData {
  name: string;
  /** For each frame, 12 numbers: origin, then x, y and z axes. */
  transforms: Float32Array<ArrayBuffer>[];
}

/** Numbers of all frames in one array, or an array for each frame. */
type Rows = ArrayLike<number> | ArrayLike<number>[];
/** A surface to encode. */
export interface SurfaceInput {
  name?: string;
  indices: ArrayLike<number>;
  positions: Rows;
  /** Of any length. Default: computed from the triangles. */
  normals?: Rows;
  /** Default: 0. */
  uvs?: ArrayLike<number>;
  material?: Partial<MaterialData>;
}
/** Arrays to encode: as toMeshData() returns them, with less, or with one surface's arrays in place of `surfaces`. */
export type MeshInput = {
  name?: string;
  /** Default: "z". */
  up?: "z" | "y";
  /** Six numbers: an MDL keeps this scale and translate if all positions lie on the grid. */
  grid?: ArrayLike<number> | null;
  /** The number of frames, or their names. Default: the number of arrays in `positions`, or 1. */
  frames?: number | string[];
  /** Defaults: all frames, 10 fps, playing once. `duration` is ignored. */
  clips?: (Pick<ClipData, "name"> & Partial<ClipData>)[];
  tags?: { name: string; transforms: Rows }[];
  /** Images for the materials. The encoded file refers to them; without images, to the materials' names. */
  images?: { name?: string; width: number; height: number; pixels: Uint8ClampedArray | Uint8Array }[];
} & ({ surfaces: SurfaceInput[] } | SurfaceInput);

export interface EncodeOptions extends ProgressOptions, ConvertOptions {
  /** The file's name without its extension; the names of the images begin with it. Default: the model's. */
  name?: string;
}
export interface ModelConvertOptions extends ProgressOptions, Omit<ConvertOptions, "skeleton"> {
  /** The model's name, and that of the files without their extensions. Default: the file's. */
  name?: string;
  skeleton?: SkeletonChoice;
}
/**
 * Distances between given and encoded vertices, in units. Problems name features that the format lacks, textures that
 * were not found, and damage that was repaired; some have no code.
 */
export interface Losses {
  maxError: number;
  rmsError: number;
  problems: { code: string | null; severity: "note" | "warning" | "error"; message: string }[];
}
export interface Converted {
  /** Names and bytes; the main file is first. */
  files: [string, Uint8Array<ArrayBuffer>][];
  losses: Losses;
}
/** An encoded file. */
export interface Encoded {
  bytes: Uint8Array<ArrayBuffer>;
  losses: Losses;
  /** The images that the file refers to and that have no file yet: names and bytes. MDL contains its skin. */
  images: [string, Uint8Array<ArrayBuffer>][];
}
/** Encodes plain arrays. Invalid ones, such as an index out of range, are rejected with a LerpmeshError. */
export function encode(data: MeshInput, format: Format, options?: EncodeOptions): Promise<Encoded>;

/** The formats that are read; meshes can be `encoded` in most of them. */
export function formats(): Promise<{ name: Format; extension: string; game: string; mime: string; encoded: boolean }[]>;
/** Lists the options of conversions, as `lerpmesh help convert --json` does. */
export function convertOptions(): Promise<Record<string, unknown>[]>;
export function version(): Promise<string>;
/** A module: compiled, its bytes, or a server's response with them. */
export type WasmSource = WebAssembly.Module | Bytes | Response | Promise<WebAssembly.Module | Bytes | Response>;
/**
 * Replaces the package's modules, before they are used: with "lerpmesh/lerpmesh.wasm", and with `more`,
 * "lerpmesh/more.wasm". Pages send compiled modules to their workers, which then fetch and compile nothing.
 */
export function useModule(source: WasmSource, more?: WasmSource): void;
