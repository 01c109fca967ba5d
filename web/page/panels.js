// What stands beside the model: what it is, what is wrong with it, and saving.
import { linkToView, say, show, state, titleOf, work } from "./app.js";
import { make } from "./make.js";
import { wearPanel } from "./wear.js";
import { makeZip } from "./zip.js";
import { STRINGS as T } from "./strings.js";

export const TABS = ["model", "check", "wear", "uv", "save"];

export function drawPanel(tab) {
  return { model: modelPanel, check: checkPanel, wear: wearPanel, uv: uvPanel, save: savePanel }[tab]();
}

function modelPanel() {
  const { model } = state;
  const parts = model.parts.map((part) => make("pre", part.sheet, { tabIndex: 0 }));
  return [make("h2", titleOf()), ...parts, ...model.findings.map((finding) => make("p", finding.message, { className: "quiet" }))];
}

// ---- Checking --------------------------------------------------------------------------------

const MOST_LISTED = 200;

// A problem is a button that marks it on the model, and takes the marks off again.
function problemItem(part, problem, number) {
  const item = make("li");
  const button = make("button", problem.message, { className: `problem ${problem.severity}` });
  button.append(make("small", `${problem.code}, ${T.atByte(problem.offset, problem.section)}`));
  button.setAttribute("aria-pressed", false);
  button.onclick = () => {
    const pressed = button.getAttribute("aria-pressed") !== "true";
    for (const other of document.querySelectorAll(".problem")) other.setAttribute("aria-pressed", other === button && pressed);
    mark(part, number, pressed ? 1 : 0);
  };
  item.append(button);
  return item;
}

function mark(part, number, count) {
  for (const other of state.model.parts) other.mark(0, 0);
  const { frame, triangles } = part.mark(number, count);
  say(count && frame < 0 && triangles === 0 ? T.nowhere : null);
  if (frame >= 0) {
    if (part.index === 0) show.play(null);
    show.playing = false;
    if (part.index === 0) show.seek(frame);
    else state.model.poseFrames(frame, frame, 0, part.index);
  }
  show.draw();
}

function checkPanel() {
  return state.model.parts.flatMap((part) => {
    const { problems, counts } = part.check();
    const list = make("ul");
    list.append(...problems.slice(0, MOST_LISTED).map((problem, i) => problemItem(part, problem, i)));
    const more = problems.length - MOST_LISTED;
    if (more > 0) list.append(make("li", T.more(more), { className: "quiet" }));
    return [make("h2", part.path.split(/[/:]/).pop()), make("p", problems.length ? T.checkOf(counts) : T.checkClean, { className: "quiet" }), list];
  });
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
