/** An error. `code` is a name from docs/diagnostics.md ("bad-offset"), or "trap" or "disposed". */
export class LerpmeshError extends Error {
  readonly code: string;
  /** The byte of the file that caused the error, or 0. */
  readonly offset: number;
  /** The section of the file: "header", "triangles", ... */
  readonly section: string | null;
}

export type Bytes = ArrayBuffer | ArrayBufferView;
/** A file that is read on demand, in pieces: on a server that supports ranges, in a database, ... */
export interface Reader {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}
/** Bytes, a Blob or File, or a URL. */
export type Source = Bytes | Blob | string | URL;

/** A model to attach. */
export interface Attachment {
  /** A tag of the most recently attached model that has it. If omitted, the model shows the first part's frames. */
  tag?: string;
  path: string;
  /** The clip that it plays at rest. */
  clip?: string;
}

/** Options of open(); the same as those of `lerpmesh convert`. */
export interface OpenOptions {
  /** Folders or archives to search for textures, shader scripts and skins. */
  games?: string[];
  /** IMAGE, SURFACE=IMAGE, FILE.skin or NAME. */
  skins?: string | string[];
  attach?: Attachment[];
  /** A clips file, "none" or "quake2". See the command's --clips. */
  clips?: string;
  palette?: string;
  /** The skin of the first part, by its number in the model's own list, from 1. */
  listedSkin?: number;
  normals?: "auto" | "stored" | "computed";
  alpha?: "auto" | "opaque" | "mask" | "blend";
  pictures?: "pixels" | "found" | "none";
  /** Open the intact parts of a damaged file. */
  repair?: boolean;
  /** Also open the rest of a player, and other related models. */
  companions?: boolean;
  /** Index 255 of a PCX is transparent. */
  transparent255?: boolean;
  glCommands?: boolean;
}

/** Opens one model. */
export function open(
  source: Source,
  options?: OpenOptions & {
    /** The file name. The format is recognised from the bytes, not from the extension. */
    name?: string;
    /** Sidecar files by name: textures, .skin files, animation.cfg. */
    files?: Record<string, Source> | Map<string, Source> | [string, Source][];
  },
): Promise<Model>;

/** A model found by Files.models(). */
export interface Listed {
  path: string;
  tree: string | null;
  /** The player's folder, if this is a player's body; it opens as the complete player. */
  player: string | null;
  ofPlayer: boolean;
  problem: string | null;
}

/** A file system of your own. It is synchronous, because the C code is. */
export interface FileSystem {
  /** "other": a pipe or a device. */
  kind(path: string): "file" | "folder" | "other" | undefined;
  list(path: string): Iterable<string>;
  open(path: string): { size: number; read(offset: number, target: Uint8Array): number; close?(): void };
  /** True if open() or read() failed because data is not there yet. fetch() gets the data, then the calls are repeated. */
  readonly missing?: boolean;
  fetch?(): Promise<void>;
}

/** Files to open models from; usable even after a trap. A path in an archive is "ARCHIVE:PATH". */
export class Files {
  static from(entries: Iterable<[string, Source | Reader]> | FileSystem): Promise<Files>;
  /** Lists the models in a folder (default: everywhere) or archive, or those that match a pattern ("pak0.pk3:*.md3"). */
  models(path?: string): Promise<Listed[]>;
  read(path: string): Promise<Uint8Array>;
  open(path: string, options?: OpenOptions): Promise<Model>;
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
  fetch(): Promise<void>;
}

export interface Clip {
  readonly name: string;
  /** The index of its part, and the clip's index in that part. */
  readonly part: number;
  readonly number: number;
  readonly first: number;
  readonly count: number;
  readonly fps: number;
  /** The number of frames at the end that repeat; 0: it plays once. */
  readonly loopFrames: number;
  /** Seconds. */
  readonly duration: number;
}

export interface Skin {
  readonly name: string;
  /** The value for OpenOptions.skins; null if this is number `skin` of the model's own list. */
  readonly option: string | null;
  readonly skin: number;
}

export interface Finding {
  readonly code: string;
  readonly severity: "note" | "warning" | "error";
  readonly subject: "model" | "clips" | "texture";
  readonly path: string;
  readonly message: string;
}

export interface Picture {
  width: number;
  height: number;
  /** RGBA, rows from top to bottom. */
  pixels: Uint8ClampedArray;
}

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
export type Engine = "any" | "quake" | "glquake" | "quake2" | "q2pro" | "rtcw" | "et" | "quake3";

/** Arrays that sample() fills: three numbers per vertex; each holds at least 3 * `surface.vertices`. */
export interface SampleTarget {
  positions?: Float32Array;
  normals?: Float32Array;
}

/** Playback options. */
export interface How {
  mode: "clip" | "loop" | "once" | "ping-pong";
  backwards: boolean;
  interpolate: boolean;
  /** A factor of the clip's own rate; 0 means 1. */
  speed: number;
}

/** An open scene: one model, or several attached to each other's tags. */
export class Model {
  readonly parts: readonly Part[];
  readonly clips: readonly Clip[];
  /** The name of the clip to show first. */
  readonly rest: string | null;
  readonly skins: readonly Skin[];
  /** The index of the current skin in `skins`, or -1. */
  readonly worn: number;
  readonly game: string | null;
  readonly findings: readonly Finding[];

  /** The name of the first part, as are all properties down to `warnings`. */
  readonly name: string;
  readonly format: string;
  readonly frames: readonly { index: number; name: string; min: number[]; max: number[] }[];
  readonly surfaces: readonly Surface[];
  readonly tags: readonly string[];
  readonly warnings: readonly { code: string; count: number; message: string }[];

  /** Poses all parts at a time in a clip. Without a clip, poses them at rest. */
  pose(clip?: string | null, seconds?: number, options?: { interpolate?: boolean }): void;
  /** Poses one part between two frames. */
  poseFrames(frameA: number, frameB?: number, t?: number, part?: number): void;
  sample(surface: number, target: SampleTarget): void;
  /** Returns a tag's transform relative to the first part, 12 numbers: origin, then x, y and z axes. */
  tag(name: string): Float32Array;
  bounds(first?: number, count?: number): { min: number[]; max: number[] };

  /**
   * Starts a clip; null plays all frames of the first part. Then call advance(), and draw or sample. If names are joined with +
   * ("LEGS_RUN+TORSO_ATTACK"), each part plays the first one that it has. `clip` is then the clip of the first such
   * part, with the joined name.
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
  /** The time since the clip started. */
  readonly seconds: number;
  /** Stops, then moves by a number of frames. */
  step(frames: number): void;
  get how(): How;
  set how(how: Partial<How>);

  /**
   * Reports all problems of the first part's file. Like all methods of Model, Part and Surface that return promises,
   * it is in a second module, which is fetched on first use.
   */
  check(options?: { engine?: Engine }): Promise<Report>;
  toGlb(options?: { name?: string; quantize?: boolean; unlit?: boolean }): Promise<Uint8Array>;
  toObj(options?: { name?: string; frame?: number }): Promise<string>;
  /** Exports a .gltf with its .bin and its images: names and bytes. */
  toGltf(options?: { name?: string }): Promise<[string, Uint8Array][]>;
  /** Exports a pose as OBJ with its materials and images: names and bytes. */
  toObjFiles(options?: { name?: string; frame?: number }): Promise<[string, Uint8Array][]>;
  /** Encodes the first part as "md2", "md3", "mdc" or "mdl". */
  encode(format: string): Promise<Uint8Array>;
  /** Returns a decoded image by its number, from Part.textures or Part.materials. */
  picture(number: number): Picture;
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
  /** The index of the part that it is attached to, or -1; `parentTag` is the tag. */
  readonly parent: number;
  readonly parentTag: string | null;
  /** True if it shows the frames of its parent. */
  readonly follows: boolean;
  /** The number of frames. */
  readonly frames: number;
  /** The clip that it plays while other parts play one that it lacks. */
  readonly idle: string | null;
  readonly textures: readonly { name: string; path: string | null; shader: string | null; picture: number }[];
  /** The material of each surface. `texture` is the number for Model.picture, or -1. */
  readonly materials: readonly { name: string; texture: number; alpha: "opaque" | "mask" | "blend"; twoSided: boolean }[];
  /** The output of `lerpmesh info --json`. */
  readonly info: Record<string, unknown>;
  /** The output of `lerpmesh info`. */
  readonly sheet: string;
  readonly surfaces: readonly Surface[];
  readonly pose: { frameA: number; frameB: number; t: number };
  /** The world transform, 12 numbers: origin, then x, y and z axes. */
  readonly place: Float32Array;
  /** Returns a tag's transform relative to the part, in the same layout. */
  tag(name: string): Float32Array;
  bounds(first?: number, count?: number): { min: number[]; max: number[] };
  sample(surface: number, target: SampleTarget): void;
  check(options?: { engine?: Engine }): Promise<Report>;
  /**
   * Encodes the part as a file named `name` plus the format's extension. Returns its bytes, the losses, and the images
   * that the file names and that have no file yet. Errors are in units; problems name features that the format lacks.
   */
  encode(
    format: string,
    options?: { name?: string },
  ): Promise<{
    bytes: Uint8Array;
    losses: { maxError: number; rmsError: number; problems: { code: string; message: string }[] };
    images: [string, Uint8Array][];
  }>;
  /**
   * Makes stages mark the locations of `count` problems on the model, from number `first` of check(); 0 clears the
   * marks. Returns the first frame that a problem names, or -1, and the number of marked triangles.
   */
  mark(first: number, count?: number, options?: { engine?: Engine }): Promise<{ frame: number; triangles: number }>;
}

export interface Surface {
  readonly name: string;
  readonly materials: readonly string[];
  readonly vertices: number;
  readonly triangles: number;
  /** Three indices per triangle, clockwise seen from outside; a copy. */
  readonly indices: Uint32Array;
  /** Two texture coordinates per vertex, 0 to 1 from the image's top left; a copy. */
  readonly st: Float32Array;
  /** The index in the file of each vertex; a copy. */
  readonly fileVertices: Uint32Array;
  /** Draws its texture coordinates over its texture. */
  uvMap(): Promise<Picture>;
}

/** Reports every problem of a file, even of a damaged one. */
export function check(source: Bytes, options?: { engine?: Engine }): Promise<Report>;

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
  /** Bytes that no lump or several lumps claim, or after the end that the header names. */
  spans: { kind: "gap" | "overlap" | "trailing"; offset: number; size: number; before: string | null; after: string | null }[];
}
/** Describes the layout of a file, even of a damaged one. */
export function examine(source: Bytes): Promise<Layout>;
/** Formats one lump of a file as a text table. */
export function examineLump(source: Bytes, lump: string): Promise<string>;

/** Decodes a PCX, PNG, JPEG or TGA image. */
export function readImage(source: Bytes): Promise<Picture>;
export function writePng(picture: Picture): Promise<Uint8Array>;
/** Converts a self-contained glTF (.glb or .gltf) to "md2", "md3" or "mdc". */
export function fromGltf(source: Bytes, format: string, options?: { fps?: number }): Promise<Uint8Array>;
export function formats(): Promise<{ name: string; extension: string; game: string; mime: string }[]>;
export function version(): Promise<string>;
/** Replaces the module inside this package's JavaScript with "lerpmesh/lerpmesh.wasm", which you fetch or compile. */
export function useModule(source: WebAssembly.Module | Bytes | Response | Promise<WebAssembly.Module | Bytes | Response>): void;
