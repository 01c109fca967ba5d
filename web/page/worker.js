// Runs long tasks: thumbnails, import, whole archives as glTF.
import { PackagedModule } from "../lib/engine.js";
import { Remote } from "../lib/fetch.js";
import { Files, LerpmeshError } from "../lib/index.js";
import { Stage } from "../lib/stage.js";
import { IMPORTED } from "./files.js";

PackagedModule.scripts = true;

const DISPLAY_FORMATS = ["md3", "md2"]; // the most precise; the one for larger models

let files = null; // a promise of a Files
let entries = []; // the entries of `files` that are not Remote
let imported = new Map(); // path: a promise of the converted model
let stage = null;
let lastThumbnail = Promise.resolve();

// Converts a glTF, one of `entries`, with `lerpmesh convert`. Returns the new files and the messages: { files, messages
// }.
async function convert(path, format, words = []) {
  const name = path.split("/").pop().replace(IMPORTED, `.${format}`);
  const { run } = await import("../lib/run.js");
  const { status, messages, files: made } = await run(["convert", path, "-o", name, ...words], entries);
  const lines = messages.split("\n").filter(Boolean).map((line) => line.replace("lerpmesh: ", ""));
  if (status !== 0) throw new LerpmeshError({ code: "bad-gltf", message: lines.join(" ") });
  return { files: made, messages: lines };
}

// Converts a glTF to a model to show, in a folder of its own, and adds its files: { path, files, messages }.
async function importGltf(path) {
  let firstError;
  for (const format of DISPLAY_FORMATS) {
    try {
      const { files: made, messages } = await convert(path, format);
      const renamed = made.map(([name, bytes]) => [`imported/${path}/${name}`, bytes]);
      const { system } = await files;
      for (const [name, bytes] of renamed) system.add(name, bytes);
      return { path: renamed.find(([name]) => name.endsWith(`.${format}`))[0], files: renamed, messages };
    } catch (error) {
      firstError ??= error;
    }
  }
  throw firstError;
}

// Imports a glTF, once.
function importOnce(path) {
  if (!imported.has(path)) imported.set(path, importGltf(path));
  return imported.get(path);
}

// Opens a model for `act`.
async function withModel(path, act) {
  const model = await (await files).open(IMPORTED.test(path) ? (await importOnce(path)).path : path, { related: true });
  try {
    return await act(model);
  } finally {
    model.dispose();
  }
}

// The GPU process draws while the worker opens the next model.
async function drawThumbnail(model, size, theme) {
  await lastThumbnail.catch(() => {}); // lets cancellations arrive
  model.play(model.restClip);
  if (stage?.dead || stage?.canvas.getContext("webgl2").isContextLost()) stage = stage.dispose();
  stage ??= await Stage.on(new OffscreenCanvas(size, size));
  if (stage.canvas.width !== size) stage.canvas.width = stage.canvas.height = size;
  stage.camera = { azimuth: 30, elevation: 15 };
  stage.aim(model, { aspect: 1 });
  stage.draw(model, { shadow: true, ...theme });
  lastThumbnail = stage.read().then(({ pixels }) => pixels);
  stage.remove(model);
  return { later: lastThumbnail };
}

const calls = {
  files: ({ entries: received }) => {
    files?.then((previous) => previous.dispose(), () => {});
    imported = new Map();
    entries = received.filter(([, source]) => !source.url);
    files = Files.from(
      received.map(([path, source]) => [path, source.url ? new Remote(source.url, source.size) : source]),
    );
    files.catch(() => {}); // the requests that need them fail
  },
  models: async ({ paths }) => {
    const lists = [];
    for (const path of paths) lists.push(...(await (await files).models(path)));
    for (const [path] of entries)
      if (IMPORTED.test(path)) lists.push({ path, relativePath: null, player: null, ofPlayer: false, problem: null });
    return lists;
  },
  thumbnail: async ({ path, size, theme }) => withModel(path, (model) => drawThumbnail(model, size, theme)),
  glb: async ({ path }) => withModel(path, (model) => model.toGlb()),
  skeletons: async ({ path }, id) =>
    withModel(path, (model) => model.skeletons({ onProgress: (progress) => self.postMessage({ id, progress }) })),
  import: async ({ path }) => importOnce(path),
  convert: async ({ path, format, words }) => convert(path, format, words),
};

function answer(id, promise) {
  return promise.then(
    (value) =>
      value?.later
        ? void answer(id, value.later)
        : self.postMessage({ id, value }, value?.buffer ? [value.buffer] : []),
    (error) => self.postMessage({ id, error: { message: error.message, code: error.code } }),
  );
}

const queue = []; // requests, run in order
let busy = false;

async function runQueue() {
  if (busy) return;
  busy = true;
  while (queue.length > 0) {
    const { id, call, ...args } = queue.shift();
    if (call === "files") calls.files(args); // no answer
    else await answer(id, calls[call](args, id));
  }
  busy = false;
}

self.onmessage = ({ data }) => {
  const at = data.call === "stop" ? queue.findIndex(({ id }) => id === data.of) : queue.push(data) - 1;
  if (data.call !== "stop") void runQueue();
  else if (at >= 0) self.postMessage({ id: queue.splice(at, 1)[0].id, stopped: true });
};
