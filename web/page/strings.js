// The texts that the page needs for its first model. strings_later.js has the others.
import { translation } from "./language.js";

const rules = new Intl.PluralRules("en");
export const number = new Intl.NumberFormat("en").format;
export const plural = (count, noun) => `${number(count)} ${noun}${rules.select(count) === "one" ? "" : "s"}`;

/**
 * The catalogue: every text of the page that a user reads, in its language. scripts/web_pack.mjs inserts `description`, `socialAlt`, `noScript` and `links` into index.html and the manifest.
 */
export const STRINGS = Object.assign({
  description: "Opens MD2, MD3, MDC, MDL and glTF models, and PAK and PK3 archives of them, in your browser. Nothing is uploaded.",
  socialAlt: "Tick, the sample model of lerpmesh: a small robot that waves",
  noScript: "This page needs JavaScript.",
  pageTitle: (model) => `${model} - lerpmesh`,
  canvasLabel: (model, clip) => (clip ? `${model}, ${clip}` : model),
  summary: (format, triangles, frames) => [format.toUpperCase(), plural(triangles, "triangle"), plural(frames, "frame")].join(" · "),
  openFiles: "Open…",
  openFolder: "Folder…",
  help: "Help",
  close: "Close",
  dropHere: "Drop files, folders or archives here",

  library: "Models to open",
  start: "Start",

  search: "Search",
  searchHint: "Search models",
  models: "Models",
  count: (shown, all) => (shown === all ? plural(all, "model") : `${number(shown)} of ${plural(all, "model")}`),

  stage: "Model view",
  controls: "Controls of the view",
  playback: "Playback",
  display: "Shading",
  overlays: "Overlays",
  camera: "Camera",
  fit: "Fit to view",
  fullScreen: "Full screen",
  shades: { studio: "Studio", texture: "Texture", normals: "Normals", wire: "Wireframe", uv: "UV checker", engine: "Game lighting" },
  toggles: { edges: "Edges", grid: "Grid", axes: "Axes", tags: "Tags", box: "Box", vertexNormals: "Normals", glCommands: "GL commands", shadow: "Shadow" },
  interpolate: "Interpolate",
  play: "Play or pause",
  previousFrame: "Previous frame",
  nextFrame: "Next frame",
  timeline: "Timeline",
  frameOf: (frame, count) => `${frame} / ${count}`,
  frameText: (frame, count) => `frame ${frame} of ${count}`,
  clip: "Clip",
  clipOf: (part) => `Clip of the ${part}`,
  parts: { lower: "legs", upper: "torso" },
  allFrames: "All frames",
  speed: "Speed",
  speeds: (factor) => `${number(factor)} ×`,
  mode: "When it ends",
  modes: { clip: "As in the file", loop: "Loop", once: "Play once", "ping-pong": "Back and forth" },

  reading: (name) => `Reading ${name}…`,
  details: "Details",
  dismiss: "Close the message",
  unreadable: (count) => `${plural(count, "file")} cannot be read`,
  contextLost: "The browser dropped the WebGL context. It usually restores the context by itself; if not, reload the page. The panels and saving still work.",
  noWebGl: "This browser has no WebGL 2, so the page cannot draw the model. The panels and saving work.",
  workerFailed: "The page's worker failed.",

  inspector: "Model details",
  tabs: { model: "Model", problems: "Problems", skins: "Skins", uv: "UV", file: "File", save: "Save" },
  nothingOpen: "No model is open.",

  format: "Format",
  formatOf: (format, version) => `${format.toUpperCase()}, version ${version}`,
  size: "Size",
  number,
  bytesOf: (bytes) => `${number(bytes)} bytes`,
  frames: "Frames",
  extent: "Extent",
  extentOf: (x, y, z) => `${number(x)} × ${number(y)} × ${number(z)} units`,
  skinSize: "Skin",
  pixelsOf: (width, height) => `${width} × ${height} pixels`,
  commands: "GL commands",
  commandsOf: (strips, fans) => `${plural(strips, "strip")}, ${plural(fans, "fan")}`,
  surfaces: "Surfaces",
  surfaceOf: (number) => `(${number})`,
  surfaceHeads: ["Name", "Vertices", "Triangles", "Material"],
  clips: "Clips",
  clipHeads: ["Name", "Frames", "FPS", "Seconds", "End"],
  framesOf: (first, last) => (first === last ? `${first}` : `${first} – ${last}`),
  playClip: (name) => `Play ${name}`,
  loops: "loops",
  playsOnce: "once",
  tags: "Tags",
  textures: "Textures",
  foundAt: (path) => `found: ${path}`,
  textureNotFound: (name, paths) => `Texture "${name}" not found (${plural(paths, "path")} tried)`,
  shaderAt: (script, line) => `shader: ${script}, line ${line}`,
  warnings: "Warnings",

  links: { source: "Source code", docs: "Documentation", npm: "npm package" },
}, translation);
