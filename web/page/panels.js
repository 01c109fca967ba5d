// The tabs next to the model, each in its own file.
import { state } from "./app.js";
import { makeElement } from "./elements.js";
import { STRINGS as T } from "./strings.js";

export const TABS = ["model", "problems", "skins", "uv", "file", "save"];

let style = null;
/** Loads the style of everything that comes after the first frame. */
export const loadStyle = () => (style ??= new Promise((resolve) => {
  const link = makeElement("link", undefined, { rel: "stylesheet", href: "panels.css", onload: resolve, onerror: resolve });
  document.head.append(link);
}));

/** Returns the elements of a tab. If no model is open, only "problems" and "file" have content. */
export async function drawPanel(tab) {
  await loadStyle();
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
