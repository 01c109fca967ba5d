// What takes long, away from the page: thumbnails, and a whole archive as glTF.
import { Remote } from "./lib/fetch.js";
import { Files } from "./lib/index.js";
import { Stage } from "./lib/stage.js";
import { convert, importOther, isOther } from "./others.js";

const SIZE = 240; // of a thumbnail, for screens of two pixels a point
let files = null;
let entries = []; // that they are of
let imported = new Map(); // path: a promise of what is shown instead
let stage = null;
let stopped = new Set();

// Other programs' models are opened as what they become.
function read(path) {
  if (!imported.has(path)) {
    const made = importOther(entries, path);
    imported.set(path, made);
    made.then(({ files: all }) => all.forEach(([name, bytes]) => files.system.add(name, bytes)), () => {});
  }
  return imported.get(path);
}

const openAny = async (path) => files.open(isOther(path) ? (await read(path)).path : path, { companions: true });

async function thumbnail(path) {
  const model = await openAny(path);
  try {
    model.play(model.rest);
    stage ??= await Stage.on(new OffscreenCanvas(SIZE, SIZE));
    stage.camera = { azimuth: 30, elevation: 15 };
    stage.aim(model, { aspect: 1 });
    const { pixels } = stage.picture(model, SIZE, SIZE, { backdrop: true, shadow: true });
    stage.remove(model);
    return pixels;
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
      if (isOther(path)) lists.push({ path, tree: null, player: null, ofPlayer: false, problem: null });
    return lists;
  },
  thumbnail: async ({ path }) => thumbnail(path),
  glb: async ({ path }) => glb(path),
  import: async ({ path }) => read(path),
  convert: async ({ path, format }) => convert(entries, path, format),
  stop: ({ of }) => void stopped.add(of),
};

let last = Promise.resolve(); // one after the other, as C has one file system of the day
self.onmessage = ({ data }) => {
  const { id, call, ...args } = data;
  if (call === "stop") return calls.stop(args);
  last = last.then(async () => {
    if (stopped.delete(id)) return self.postMessage({ id, stopped: true });
    try {
      const value = await calls[call](args);
      self.postMessage({ id, value }, value?.buffer ? [value.buffer] : []);
    } catch (error) {
      self.postMessage({ id, error: { message: error.message, code: error.code } });
    }
  });
};
