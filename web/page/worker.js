// Runs long tasks: thumbnails, import, whole archives as glTF.
import { Remote } from "./lib/fetch.js";
import { Files } from "./lib/index.js";
import { Stage } from "./lib/stage.js";
import { OTHER } from "./kinds.js";

let files = null;
let entries = []; // the entries of `files` that are not Remote
let imported = new Map(); // path: a promise of the converted model
let stage = null;
let drawn = Promise.resolve(); // the last thumbnail

// Converts another program's model, once.
function read(path) {
  if (!imported.has(path)) {
    const made = import("./others.js").then((others) => others.importOther(entries, path));
    imported.set(path, made);
    made.then(({ files: all }) => all.forEach(([name, bytes]) => files.system.add(name, bytes)), () => {});
  }
  return imported.get(path);
}

const openAny = async (path) => files.open(OTHER.test(path) ? (await read(path)).path : path, { companions: true });

// The GPU process draws while the worker opens the next model.
async function thumbnail(path, size) {
  const model = await openAny(path);
  try {
    await drawn.catch(() => {}); // lets cancellations arrive
    model.play(model.rest);
    if (stage?.dead || stage?.canvas.getContext("webgl2").isContextLost()) stage = stage.dispose();
    stage ??= await Stage.on(new OffscreenCanvas(size, size));
    if (stage.canvas.width !== size) stage.canvas.width = stage.canvas.height = size;
    stage.camera = { azimuth: 30, elevation: 15 };
    stage.aim(model, { aspect: 1 });
    stage.draw(model, { backdrop: true, shadow: true });
    drawn = stage.read().then(({ pixels }) => pixels);
    stage.remove(model);
    return { later: drawn };
  } finally {
    model.dispose();
  }
}

async function glb(path) {
  const model = await openAny(path);
  try {
    return await model.toGlb();
  } finally {
    model.dispose();
  }
}

const calls = {
  files: async ({ entries: given }) => {
    files?.dispose();
    imported = new Map();
    entries = given.filter(([, source]) => !source.url);
    files = await Files.from(given.map(([path, source]) => [path, source.url ? new Remote(source.url, source.size) : source]));
  },
  models: async ({ paths }) => {
    const lists = [];
    for (const path of paths) lists.push(...(await files.models(path)));
    for (const [path] of entries)
      if (OTHER.test(path)) lists.push({ path, tree: null, player: null, ofPlayer: false, problem: null });
    return lists;
  },
  thumbnail: async ({ path, size }) => thumbnail(path, size),
  glb: async ({ path }) => glb(path),
  import: async ({ path }) => read(path),
  convert: async ({ path, format }) => (await import("./others.js")).convert(entries, path, format),
};

function answer(id, promise) {
  return promise.then(
    (value) => value?.later ? void answer(id, value.later) : self.postMessage({ id, value }, value?.buffer ? [value.buffer] : []),
    (error) => self.postMessage({ id, error: { message: error.message, code: error.code } }),
  );
}

const queue = []; // requests, run in order
let busy = false;

async function work() {
  if (busy) return;
  busy = true;
  while (queue.length > 0) {
    const { id, call, ...args } = queue.shift();
    await answer(id, calls[call](args));
  }
  busy = false;
}

self.onmessage = ({ data }) => {
  const at = data.call === "stop" ? queue.findIndex(({ id }) => id === data.of) : queue.push(data) - 1;
  if (data.call !== "stop") void work();
  else if (at >= 0) self.postMessage({ id: queue.splice(at, 1)[0].id, stopped: true });
};
