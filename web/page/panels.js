// What stands beside the model: what it is, its texture coordinates.
import { say, state, titleOf } from "./app.js";
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
  model: modelPanel,
  check: async () => (await import("./anatomy.js")).checkPanel(),
  wear: async () => (await import("./wear.js")).wearPanel(),
  uv: uvPanel,
  file: async () => (await import("./anatomy.js")).filePanel(),
  save: async () => (await import("./save.js")).savePanel(),
};

function modelPanel() {
  const { model } = state;
  const parts = model.parts.map((part) => make("pre", part.sheet, { tabIndex: 0 }));
  const said = (state.imported ?? []).map((line) => make("p", line, { className: "quiet" }));
  return [make("h2", titleOf()), ...parts, ...said, ...model.findings.map((finding) => make("p", finding.message, { className: "quiet" }))];
}

// ---- Texture coordinates ---------------------------------------------------------------------

async function uvPanel() {
  const surfaces = state.model.parts.flatMap((part) => part.surfaces.filter((one) => one.triangles > 0));
  if (surfaces.length === 0) return [make("p", T.noSurfaces, { className: "quiet" })];
  const list = make("select", undefined, { ariaLabel: T.surface, hidden: surfaces.length < 2 });
  list.append(...surfaces.map(({ part, name }, i) => new Option([part.name, name].filter(Boolean).join(", "), i)));
  const canvas = make("canvas", undefined, { className: "uv", role: "img", ariaLabel: T.uvMap });
  const size = make("p", undefined, { className: "quiet" });
  const draw = async () => {
    const surface = surfaces[list.value];
    const { width, height, pixels } = await surface.uvMap();
    Object.assign(canvas, { width, height });
    canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
    size.textContent = T.uvOf(surface.triangles, surface.materials);
  };
  list.onchange = () => draw().catch((error) => say(error.message));
  await draw();
  return [list, canvas, size];
}
