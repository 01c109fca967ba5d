// The tabs next to the model, each in its own file.
import { state } from "./app.js";
import { make } from "./make.js";
import { STRINGS as T } from "./strings.js";

export const TABS = ["model", "check", "wear", "uv", "file", "save"];

/** Returns the elements of a tab. If no model is open, only "check" and "file" have content. */
export async function drawPanel(tab) {
  if (!state.model && !["check", "file"].includes(tab)) return [make("p", T.nothingOpen, { className: "quiet" })];
  return PANELS[tab]();
}

// Each tab's code is fetched when it is first opened.
const PANELS = {
  model: async () => (await import("./about.js")).aboutPanel(),
  check: async () => (await import("./anatomy.js")).checkPanel(),
  wear: async () => (await import("./skins.js")).skinsPanel(),
  uv: async () => (await import("./uv.js")).uvPanel(),
  file: async () => (await import("./anatomy.js")).filePanel(),
  save: async () => (await import("./save.js")).savePanel(),
};
