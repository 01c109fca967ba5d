// A typical program, as the input of a bundler.
import { fromGltf, open } from "lerpmesh";

export async function frames(bytes) {
  const model = await open(bytes, { name: "tick.md2" });
  const count = model.frames.length;
  const { bytes: md3 } = await fromGltf(await model.toGlb(), "md3"); // by the second module
  const again = await open(md3, { name: "tick.md3" });
  const same = again.frames.length === count;
  for (const one of [model, again]) one.dispose();
  return same ? count : 0;
}
globalThis.lerpmeshFrames = frames;
