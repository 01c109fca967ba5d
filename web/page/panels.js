// What stands beside the model: what it is, its texture coordinates, and saving.
import { linkToView, say, show, state, titleOf, work } from "./app.js";
import { checkPanel, filePanel } from "./anatomy.js";
import { make } from "./make.js";
import { wearPanel } from "./wear.js";
import { makeZip } from "./zip.js";
import { STRINGS as T } from "./strings.js";

export const TABS = ["model", "check", "wear", "uv", "file", "save"];

/** What a tab shows; of a file that is no model, what is wrong with it and what lies where. */
export async function drawPanel(tab) {
  if (!state.model && !["check", "file"].includes(tab)) return [make("p", T.nothingOpen, { className: "quiet" })];
  return { model: modelPanel, check: checkPanel, wear: wearPanel, uv: uvPanel, file: filePanel, save: savePanel }[tab]();
}

function modelPanel() {
  const { model } = state;
  const parts = model.parts.map((part) => make("pre", part.sheet, { tabIndex: 0 }));
  return [make("h2", titleOf()), ...parts, ...model.findings.map((finding) => make("p", finding.message, { className: "quiet" }))];
}

// ---- Texture coordinates ---------------------------------------------------------------------

function uvPanel() {
  const surfaces = state.model.parts.flatMap((part) => part.surfaces.filter((one) => one.triangles > 0));
  if (surfaces.length === 0) return [make("p", T.noSurfaces, { className: "quiet" })];
  const list = make("select", undefined, { ariaLabel: T.surface, hidden: surfaces.length < 2 });
  list.append(...surfaces.map(({ part, name }, i) => new Option([part.name, name].filter(Boolean).join(", "), i)));
  const canvas = make("canvas", undefined, { className: "uv", role: "img", ariaLabel: T.uvMap });
  const size = make("p", undefined, { className: "quiet" });
  list.onchange = () => {
    const surface = surfaces[list.value];
    const { width, height, pixels } = surface.uvMap();
    Object.assign(canvas, { width, height });
    canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
    size.textContent = T.uvOf(surface.triangles, surface.materials);
  };
  list.onchange();
  return [list, canvas, size];
}

// ---- Saving ----------------------------------------------------------------------------------

export function download(bytes, name, type = "application/octet-stream") {
  const link = make("a", undefined, { download: name, href: URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const savers = {
  glb: (model, name) => download(model.toGlb({ name }), `${name}.glb`, "model/gltf-binary"),
  obj: (model, name) => download(model.toObj({ name, frame: model.parts[0].pose.frameA }), `${name}.obj`, "model/obj"),
  png: async (model, name) => download(await show.picture(), `${name}.png`),
  md2: (model, name) => download(model.encode("md2"), `${name}.md2`),
  md3: (model, name) => download(model.encode("md3"), `${name}.md3`),
  mdc: (model, name) => download(model.encode("mdc"), `${name}.mdc`),
};

function savePanel() {
  const list = make("ul");
  for (const [kind, save] of Object.entries(savers)) list.append(itemOf(T.saveAs[kind], () => save(state.model, titleOf())));
  list.append(itemOf(T.link, copyLink));
  list.append(itemOf(T.saveAs.zip, (button) => saveAll(button)));
  return [list];
}

function itemOf(text, act) {
  const button = make("button", text);
  button.onclick = async () => {
    try {
      await act(button);
    } catch (error) {
      say(error.message);
    }
  };
  const item = make("li");
  item.append(button);
  return item;
}

async function copyLink() {
  if (!state.source) return say(T.linkLocal);
  const link = linkToView();
  history.replaceState(null, "", link);
  await navigator.clipboard?.writeText(link).catch(() => {});
  say(T.linkCopied);
}

async function saveAll(button) {
  const { library } = await import("./app.js");
  const { models } = library;
  const bar = make("progress", undefined, { max: models.length, value: 0 });
  let stopped = false;
  const cancel = make("button", T.cancel);
  cancel.onclick = () => (stopped = true);
  button.after(bar, cancel);
  button.disabled = true;
  const members = [];
  const failed = [];
  for (const entry of models) {
    if (stopped) break;
    try {
      members.push([`${entry.player ?? entry.path}`.replace(/^[^:]*:/, "").replace(/\.[^./]*$/, "") + ".glb", await work.ask("glb", { path: entry.player ?? entry.path })]);
    } catch (error) {
      failed.push(`${entry.path}: ${error.message}`);
    }
    bar.value++;
  }
  for (const element of [bar, cancel]) element.remove();
  button.disabled = false;
  if (failed.length) say(failed.join(" "));
  if (!stopped && members.length) download(makeZip(members), "models.zip", "application/zip");
}
