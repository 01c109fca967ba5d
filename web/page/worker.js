// What takes long, away from the page: thumbnails, and a whole archive as glTF.
import { Remote } from "./lib/fetch.js";
import { Files } from "./lib/index.js";
import { Stage } from "./lib/stage.js";

const SIZE = 240; // of a thumbnail, for screens of two pixels a point
let files = null;
let stage = null;
let stopped = new Set();

async function thumbnail(path) {
  const model = await files.open(path, { companions: true });
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
  const model = await files.open(path, { companions: true });
  try {
    return await model.toGlb();
  } finally {
    model.dispose();
  }
}

const calls = {
  files: async ({ entries }) => {
    files?.dispose();
    files = await Files.from(entries.map(([path, source]) => [path, source.url ? new Remote(source.url, source.size) : source]));
  },
  models: async ({ paths }) => {
    const lists = [];
    for (const path of paths) lists.push(...(await files.models(path)));
    return lists;
  },
  thumbnail: async ({ path }) => thumbnail(path),
  glb: async ({ path }) => glb(path),
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
