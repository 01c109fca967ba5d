// Runs long tasks: thumbnails, import, whole archives as glTF.
import { Remote } from "./lib/fetch.js";
import { Files } from "./lib/index.js";
import { Stage } from "./lib/stage.js";
import { GLTF } from "./extensions.js";

let files = null;
let entries = []; // the entries of `files` that are not Remote
let imported = new Map(); // path: a promise of the converted model
let stage = null;
let lastThumbnail = Promise.resolve();

// Converts a glTF, once.
function convertGltf(path) {
  if (!imported.has(path)) {
    const converted = import("./convert.js").then(({ importGltf }) => importGltf(entries, path));
    imported.set(path, converted);
    converted.then(({ files: all }) => all.forEach(([name, bytes]) => files.system.add(name, bytes)), () => {});
  }
  return imported.get(path);
}

const openModel = async (path) => files.open(GLTF.test(path) ? (await convertGltf(path)).path : path, { related: true });

// The GPU process draws while the worker opens the next model.
async function thumbnail(path, size, theme) {
  const model = await openModel(path);
  try {
    await lastThumbnail.catch(() => {}); // lets cancellations arrive
    model.play(model.restClip);
    if (stage?.dead || stage?.canvas.getContext("webgl2").isContextLost()) stage = stage.dispose();
    stage ??= await Stage.on(new OffscreenCanvas(size, size));
    if (stage.canvas.width !== size) stage.canvas.width = stage.canvas.height = size;
    stage.camera = { azimuth: 30, elevation: 15 };
    stage.aim(model, { aspect: 1 });
    stage.draw(model, { backdrop: true, shadow: true, ...theme });
    lastThumbnail = stage.read().then(({ pixels }) => pixels);
    stage.remove(model);
    return { later: lastThumbnail };
  } finally {
    model.dispose();
  }
}

async function glb(path) {
  const model = await openModel(path);
  try {
    return await model.toGlb();
  } finally {
    model.dispose();
  }
}

async function skeletons(path, id) {
  const model = await openModel(path);
  try {
    return await model.skeletons({ onProgress: (progress) => self.postMessage({ id, progress }) });
  } finally {
    model.dispose();
  }
}

const calls = {
  files: async ({ entries: received }) => {
    files?.dispose();
    imported = new Map();
    entries = received.filter(([, source]) => !source.url);
    files = await Files.from(received.map(([path, source]) => [path, source.url ? new Remote(source.url, source.size) : source]));
  },
  models: async ({ paths }) => {
    const lists = [];
    for (const path of paths) lists.push(...(await files.models(path)));
    for (const [path] of entries)
      if (GLTF.test(path)) lists.push({ path, relativePath: null, player: null, ofPlayer: false, problem: null });
    return lists;
  },
  thumbnail: async ({ path, size, theme }) => thumbnail(path, size, theme),
  glb: async ({ path }) => glb(path),
  skeletons: async ({ path }, id) => skeletons(path, id),
  import: async ({ path }) => convertGltf(path),
  convert: async ({ path, format }) => (await import("./convert.js")).convert(entries, path, format),
};

function answer(id, promise) {
  return promise.then(
    (value) => value?.later ? void answer(id, value.later) : self.postMessage({ id, value }, value?.buffer ? [value.buffer] : []),
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
    await answer(id, calls[call](args, id));
  }
  busy = false;
}

self.onmessage = ({ data }) => {
  const at = data.call === "stop" ? queue.findIndex(({ id }) => id === data.of) : queue.push(data) - 1;
  if (data.call !== "stop") void runQueue();
  else if (at >= 0) self.postMessage({ id: queue.splice(at, 1)[0].id, stopped: true });
};
