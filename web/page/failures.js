// Messages about files that do not open.
import { LerpmeshError, examine } from "./lib/index.js";
import { isLatest, nameOf, openEntry, showError, showMessage, state } from "./app.js";
import { GLTF } from "./extensions.js";
import { STRINGS as T } from "./strings.js";

// Counts the intact frames of a damaged model, and those that its header names: { intact, all }, or null.
async function countFrames(entry) {
  const model = await state.files.open(entry.player ?? entry.path, { repair: true, images: "none" }).catch(() => null);
  if (!model) return null;
  const { frames: intact, path } = model.parts[0];
  model.dispose();
  const { fields } = await examine(await state.files.read(path));
  return { intact, all: fields.find(({ name }) => /^num_?frames$/.test(name))?.value ?? intact };
}

/** Shows why an entry of the library did not open. Offers to show its intact parts, if it has some. */
export async function explain(entry, error, opening) {
  if (!(error instanceof LerpmeshError)) return showError(error);
  const name = nameOf(entry.path);
  const details = error.message;
  if (error.code === "unknown-format") return showMessage(T.notModel(name), { details });
  if (/\.gltf$/i.test(name) && /cannot open/.test(details)) return showMessage(T.missingFiles(name), { details });
  const frames = GLTF.test(name) ? null : await countFrames(entry);
  if (!isLatest(opening)) return;
  if (!frames) return showMessage(T.cannotOpen(name), { details });
  const action = { label: T.showIntact, act: () => openEntry(entry, { repair: true }) };
  showMessage(frames.intact < frames.all ? T.cutOff(name, frames.intact, frames.all) : T.damaged(name), { details, action });
}
