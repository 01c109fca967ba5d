// Converts glTF models with `lerpmesh convert`.
import { LerpmeshError } from "./lib/module.js";
import { GLTF } from "./extensions.js";

const DISPLAY_FORMATS = ["md3", "md2"]; // the most precise; the one for larger models

/** Converts `path`, one of the open files. Returns the new files and the messages: { files, messages }. */
export async function convert(entries, path, format) {
  const name = path.split("/").pop().replace(GLTF, `.${format}`);
  const { run } = await import("./lib/run.js");
  const { status, messages, files } = await run(["convert", path, "-o", name], entries);
  const lines = messages.split("\n").filter(Boolean).map((line) => line.replace("lerpmesh: ", ""));
  if (status !== 0) throw new LerpmeshError({ code: "bad-gltf", message: lines.join(" ") });
  return { files, messages: lines };
}

/** Converts `path` to a model to show: { path, files, messages }, in a folder of its own. */
export async function importGltf(entries, path) {
  let firstError;
  for (const format of DISPLAY_FORMATS) {
    try {
      const { files, messages } = await convert(entries, path, format);
      const renamed = files.map(([name, bytes]) => [`imported/${path}/${name}`, bytes]);
      return { path: renamed.find(([name]) => name.endsWith(`.${format}`))[0], files: renamed, messages };
    } catch (error) {
      firstError ??= error;
    }
  }
  throw firstError;
}
