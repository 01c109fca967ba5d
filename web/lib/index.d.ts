/** Why something failed. `code` is a name of docs/diagnostics.md ("bad-offset"), or "trap" or "disposed". */
export class LerpmeshError extends Error {
  readonly code: string;
  /** The byte of the file that is to blame; 0 where none is. */
  readonly offset: number;
  /** "header", "triangles", ... */
  readonly section: string | null;
}

export type Bytes = ArrayBuffer | ArrayBufferView;
/** Read when it is needed, in pieces: a file on a server that knows ranges, a database, ... */
export interface Reader {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}
/** Bytes, a Blob or File, or an address. */
export type Source = Bytes | Blob | string | URL;

export interface Attachment {
  /** Of the model that was attached last and has it; none: it shows the frames that the first part shows. */
  tag?: string;
  path: string;
  /** What it plays at rest. */
  clip?: string;
}

/** As the options of `lerpmesh convert` are. */
export interface OpenOptions {
  /** Folders or archives among the files in which textures, shader scripts and skins are looked for. */
  games?: string[];
  /** PICTURE, SURFACE=PICTURE, FILE.skin or NAME. */
  skins?: string | string[];
  attach?: Attachment[];
  /** A clips file, "none" or "quake2". */
  clips?: string;
  palette?: string;
  /** Which of the skins that it lists the first part wears, counted from 1. */
  listedSkin?: number;
  normals?: "auto" | "stored" | "computed";
  alpha?: "auto" | "opaque" | "mask" | "blend";
  pictures?: "pixels" | "found" | "none";
  /** Open what can be opened of a damaged file. */
  repair?: boolean;
  /** The rest of a player, and what else belongs to the model. */
  companions?: boolean;
  /** Index 255 of a PCX is transparent. */
  transparent255?: boolean;
  glCommands?: boolean;
}

/** Opens one model. */
export function open(
  source: Source,
  options?: OpenOptions & {
    /** What it is called; its extension tells nothing, its bytes do. */
    name?: string;
    /** What lies around it, by name: textures, .skin files, animation.cfg. */
    files?: Record<string, Source> | Map<string, Source> | [string, Source][];
  },
): Promise<Model>;

export interface Listed {
  path: string;
  tree: string | null;
  /** Of a player's body: his folder, which opens as the whole of him. */
  player: string | null;
  ofPlayer: boolean;
  problem: string | null;
}

/** A system of files of your own; synchronous, as C is. */
export interface FileSystem {
  /** "other": a pipe, or a device. */
  kind(path: string): "file" | "folder" | "other" | undefined;
  list(path: string): Iterable<string>;
  open(path: string): { size: number; read(offset: number, target: Uint8Array): number; close?(): void };
  /** Whether open() or read() failed for what was not there yet; fetch() gets it, and then they are asked again. */
  readonly missing?: boolean;
  fetch?(): Promise<void>;
}

/** Files to open models from, after a trap too. An archive's path is followed by ":" and a path in it. */
export class Files {
  static from(entries: Iterable<[string, Source | Reader]> | FileSystem): Promise<Files>;
  /** The models below a folder (all there is), in an archive, or that fit a pattern ("pak0.pk3:*.md3"). */
  models(path?: string): Promise<Listed[]>;
  read(path: string): Promise<Uint8Array>;
  open(path: string, options?: OpenOptions): Promise<Model>;
  /** Models that were opened stay as they are. */
  dispose(): void;
  [Symbol.dispose](): void;
}

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
  /** Of which part, and which of its clips. */
  readonly part: number;
  readonly number: number;
  readonly first: number;
  readonly count: number;
  readonly fps: number;
  /** How many of the last frames repeat; 0: it plays once. */
  readonly loopFrames: number;
  readonly duration: number;
}

export interface Skin {
  readonly name: string;
  /** For OpenOptions.skins; null: one that the model lists, number `skin`. */
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
  /** Red, green, blue, alpha; rows from the top. */
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

/** Positions and normals, three numbers a vertex, of the first `surface.vertices`. */
export interface SampleTarget {
  positions?: Float32Array;
  normals?: Float32Array;
}

export interface How {
  mode: "clip" | "loop" | "once" | "ping-pong";
  backwards: boolean;
  interpolate: boolean;
  /** Times the clip's own rate; 0: 1. */
  speed: number;
}

/** What was opened: one model, or several that hang on each other's tags. */
export class Model {
  readonly parts: readonly Part[];
  readonly clips: readonly Clip[];
  /** The clip that it is first seen in. */
  readonly rest: string | null;
  readonly skins: readonly Skin[];
  /** Which of them is worn; -1: none. */
  readonly worn: number;
  readonly game: string | null;
  readonly findings: readonly Finding[];

  /** Of the first part. */
  readonly name: string;
  readonly format: string;
  readonly frames: readonly { index: number; name: string; min: number[]; max: number[] }[];
  readonly surfaces: readonly Surface[];
  readonly tags: readonly string[];
  readonly warnings: readonly { code: string; count: number; message: string }[];

  /** Poses all parts as they are `seconds` after the clip began; of no clip, at rest. */
  pose(clip?: string | null, seconds?: number, options?: { interpolate?: boolean }): void;
  /** Poses one part between two frames. */
  poseFrames(frameA: number, frameB?: number, t?: number, part?: number): void;
  sample(surface: number, target: SampleTarget): void;
  /** Twelve numbers: the origin, then where x, y and z point. */
  tag(name: string): Float32Array;
  bounds(first?: number, count?: number): { min: number[]; max: number[] };

  /**
   * Playing: begin a clip, let time pass, draw or sample. "LEGS_RUN+TORSO_ATTACK": each part plays the first that it
   * has; `clip` is then the first part's, under that name.
   */
  play(clip: string | Clip | null): void;
  /** Whether `play` knows this name. */
  hasClip(name: string): boolean;
  readonly clip: Clip | null;
  playing: boolean;
  advance(seconds: number): boolean;
  /** In frames on the clip's timeline. */
  position: number;
  readonly seconds: number;
  step(frames: number): void;
  get how(): How;
  set how(how: Partial<How>);

  /**
   * What checks, writes files and draws texture coordinates, here and below, is in a second module: it is fetched when
   * the first of them is called.
   */
  check(options?: { engine?: Engine }): Promise<Report>;
  toGlb(options?: { name?: string; quantize?: boolean; unlit?: boolean }): Promise<Uint8Array>;
  toObj(options?: { name?: string; frame?: number }): Promise<string>;
  /** A .gltf with its .bin and its pictures, and a pose as OBJ with its materials: names and bytes. */
  toGltf(options?: { name?: string }): Promise<[string, Uint8Array][]>;
  toObjFiles(options?: { name?: string; frame?: number }): Promise<[string, Uint8Array][]>;
  /** The first part as a file of another format: "md2", "md3", "mdc", "mdl". */
  encode(format: string): Promise<Uint8Array>;
  picture(number: number): Picture;
  dispose(): void;
  [Symbol.dispose](): void;
}

export class Part {
  readonly model: Model;
  readonly index: number;
  readonly name: string;
  readonly path: string;
  readonly format: string;
  /** The part that it hangs on, or -1; and on which of its tags. */
  readonly parent: number;
  readonly parentTag: string | null;
  readonly follows: boolean;
  /** How many. */
  readonly frames: number;
  /** The clip that it plays while others play one that it does not have. */
  readonly idle: string | null;
  readonly textures: readonly { name: string; path: string | null; shader: string | null; picture: number }[];
  /** What each surface wears; `texture` is for Model.picture, -1: none. */
  readonly materials: readonly { name: string; texture: number; alpha: "opaque" | "mask" | "blend"; twoSided: boolean }[];
  /** As `lerpmesh info --json` says. */
  readonly info: Record<string, unknown>;
  /** As `lerpmesh info` says. */
  readonly sheet: string;
  readonly surfaces: readonly Surface[];
  readonly pose: { frameA: number; frameB: number; t: number };
  readonly place: Float32Array;
  /** Twelve numbers: where a tag is, from the part. */
  tag(name: string): Float32Array;
  bounds(first?: number, count?: number): { min: number[]; max: number[] };
  sample(surface: number, target: SampleTarget): void;
  check(options?: { engine?: Engine }): Promise<Report>;
  /**
   * As a file of another format, what that loses (distances in units, and what the format has no room for), and the
   * images that the file names and that have no file yet. `name` is that of the file, without its extension.
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
   * Has stages mark where on the model problems are: those of check(), from a number on; 0 of them: marks nothing.
   * `frame` is the first that one is about, or -1; `triangles` how many are marked.
   */
  mark(first: number, count?: number, options?: { engine?: Engine }): Promise<{ frame: number; triangles: number }>;
}

export interface Surface {
  readonly name: string;
  readonly materials: readonly string[];
  readonly vertices: number;
  readonly triangles: number;
  /** Three a triangle, clockwise from outside; a copy. */
  readonly indices: Uint32Array;
  /** Two a vertex, 0 to 1 from the picture's top left; a copy. */
  readonly st: Float32Array;
  readonly fileVertices: Uint32Array;
  /** Its texture coordinates over what it wears. */
  uvMap(): Promise<Picture>;
}

/** Every problem of a file, damaged ones too. */
export function check(source: Bytes, options?: { engine?: Engine }): Promise<Report>;

export interface Field {
  offset: number;
  name: string;
  value: string | number;
  meaning: string;
}
/** `count` elements of `element_size` bytes. */
export interface Lump {
  name: string;
  offset: number;
  count: number;
  element_size: number;
  size: number;
  end: number;
  /** Of the file, where it is damaged. */
  outside: boolean;
  /** Of a header. */
  fields?: Field[];
}
export interface Layout {
  format: string;
  bytes: number;
  fields: Field[];
  lumps: Lump[];
  /** Bytes of no lump, of several, or behind the end that the header names. */
  spans: { kind: "gap" | "overlap" | "trailing"; offset: number; size: number; before: string | null; after: string | null }[];
}
/** What lies where in a file, damaged ones too. */
export function examine(source: Bytes): Promise<Layout>;
/** One of its lumps as a table in text. */
export function examineLump(source: Bytes, lump: string): Promise<string>;

/** PCX, PNG, JPEG, TGA. */
export function readImage(source: Bytes): Promise<Picture>;
export function writePng(picture: Picture): Promise<Uint8Array>;
/** A .glb, or a .gltf without other files, as a model file: "md2", "md3", "mdc". */
export function fromGltf(source: Bytes, format: string, options?: { fps?: number }): Promise<Uint8Array>;
export function formats(): Promise<{ name: string; extension: string; game: string; mime: string }[]>;
export function version(): Promise<string>;
/** Instead of the module inside this package's JavaScript: its "lerpmesh/lerpmesh.wasm", fetched or compiled by you. */
export function useModule(source: WebAssembly.Module | Bytes | Response | Promise<WebAssembly.Module | Bytes | Response>): void;
