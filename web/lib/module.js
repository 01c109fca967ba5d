// The complete module, and its second part.

import { Current, Engine, PackagedModule, absent } from "./engine.js";
import { fileImports } from "./files.js";
import { graphicsImports } from "./graphics.js";

const first = new PackagedModule(() => new URL("./lerpmesh.wasm", import.meta.url), () => import("./wasm.js"));
const more = new PackagedModule(() => new URL("./more.wasm", import.meta.url), () => import("./more.js"));

/**
 * `system`: the import "system", which only the command needs.
 * @param {(engine: Engine) => object} [system]
 */
export async function newEngine(system = () => absent) {
  const importsOf = (engine) => ({
    files: fileImports(engine),
    gl: graphicsImports(engine),
    system: system(engine),
    web: { progress: (share) => Number(engine.progress(share)) },
  });
  return Engine.create(await first.get(), importsOf, more);
}

const current = new Current(newEngine);

/** Returns the current instance, or a new one if that has trapped or failed to load. */
export const getEngine = () => current.get();

/** Replaces the package's modules with bytes, a Response, or a compiled module. */
export function useModule(source, second) {
  first.use(source);
  if (second !== undefined) more.use(second);
  current.forget();
}
