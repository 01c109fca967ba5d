// Imports other programs' models with `lerpmesh convert`.
import { LerpmeshError } from "./lib/module.js";
import { OTHER } from "./kinds.js";

const SHOWN_AS = ["md3", "md2"]; // the most precise; the one for larger models

/** Converts `path`, one of the open files. Returns the new files and the messages: { files, messages }. */
export async function convert(entries, path, format) {
  const name = path.split("/").pop().replace(OTHER, `.${format}`);
  const { run } = await import("./lib/run.js");
  const { status, messages, files } = await run(["convert", path, "-o", name], entries);
  const said = messages.split("\n").filter(Boolean).map((line) => line.replace("lerpmesh: ", ""));
  if (status !== 0) throw new LerpmeshError({ code: "bad-gltf", message: said.join(" ") });
  return { files, messages: said };
}

/** Converts `path` to a model to show: { path, files, messages }, in a folder of its own. */
export async function importOther(entries, path) {
  let why;
  for (const format of SHOWN_AS) {
    try {
      const { files, messages } = await convert(entries, path, format);
      const made = files.map(([name, bytes]) => [`imported/${path}/${name}`, bytes]);
      return { path: made.find(([name]) => name.endsWith(`.${format}`))[0], files: made, messages };
    } catch (error) {
      why ??= error;
    }
  }
  throw why;
}
