// What a program of somebody's does: a bundler gets this.
import { open } from "lerpmesh";

export async function frames(bytes) {
  const model = await open(bytes, { name: "tick.md2" });
  const count = model.frames.length;
  model.dispose();
  return count;
}
globalThis.lerpmeshFrames = frames;
