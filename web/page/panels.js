// What stands beside the model, a file for each.
import { state } from "./app.js";
import { make } from "./make.js";
import { STRINGS as T } from "./strings.js";

export const TABS = ["model", "check", "wear", "uv", "file", "save"];

/** What a tab shows; of a file that is no model, what is wrong with it and what lies where. */
export async function drawPanel(tab) {
  if (!state.model && !["check", "file"].includes(tab)) return [make("p", T.nothingOpen, { className: "quiet" })];
  return PANELS[tab]();
}

// What is not seen at first is fetched when it is.
const PANELS = {
  model: async () => (await import("./about.js")).aboutPanel(),
  check: async () => (await import("./anatomy.js")).checkPanel(),
  wear: async () => (await import("./wear.js")).wearPanel(),
  uv: async () => (await import("./uv.js")).uvPanel(),
  file: async () => (await import("./anatomy.js")).filePanel(),
  save: async () => (await import("./save.js")).savePanel(),
};
