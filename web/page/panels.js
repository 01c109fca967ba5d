// The tabs next to the model, each in its own file.
import { state } from "./app.js";
import { makeElement } from "./elements.js";
import { STRINGS as T } from "./strings.js";

export const TABS = ["model", "problems", "skins", "uv", "file", "save"];

/** Returns the elements of a tab. If no model is open, only "problems" and "file" have content. */
export async function drawPanel(tab) {
  if (!state.model && !["problems", "file"].includes(tab)) return [makeElement("p", T.nothingOpen, { className: "quiet" })];
  return PANELS[tab]();
}

// Each tab's code is fetched when it is first opened.
const PANELS = {
  model: async () => (await import("./model.js")).modelPanel(),
  problems: async () => (await import("./inspect.js")).problemsPanel(),
  skins: async () => (await import("./skins.js")).skinsPanel(),
  uv: async () => (await import("./uv.js")).uvPanel(),
  file: async () => (await import("./inspect.js")).filePanel(),
  save: async () => (await import("./save.js")).savePanel(),
};
