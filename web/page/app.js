// The page: its state and controls.
import { Files, LerpmeshError } from "./lib/index.js";
import { getEngine } from "./lib/module.js";
import { SHADES, Show } from "./lib/show.js";
import { ClipLists } from "./clips.js";
import { Library } from "./library.js";
import { make } from "./make.js";
import { ARCHIVE, OTHER } from "./kinds.js";
import { drawPanel, TABS } from "./panels.js";
import { sample } from "./sample.js";
import { STRINGS as T } from "./strings.js";
import { Work } from "./work.js";

// Starts everything that the first frame needs, in parallel.
const link = readLink();
const begun = link ? null : sample();
begun?.catch(() => {});
void getEngine().catch(() => {});

const $ = (id) => document.getElementById(id);
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const TOGGLES = ["edges", "grid", "axes", "tags", "box", "vertexNormals", "glCommands", "shadow"];
const MODES = ["clip", "loop", "once", "ping-pong"];

/** The state that all parts of the page share. */
export const state = {
  entries: [], // the open files: [path, Blob, bytes or Remote] each
  files: null, // a Files of `entries`
  entry: null, // the current entry of the library: { path, player, title }
  model: null,
  skin: null, // the chosen model.skins[].option
  attached: [], // attached models: { tag, path, title }
  tab: "model",
  imported: null, // messages of the import, if the model is a glTF
  bytes: null, // the bytes shown in the tab "file": { path, offset, size, lump }
  source: null, // the URL it came from: { href, skin: the skin's URL }
};
export const show = new Show($("canvas"), { drawless: true });
export const work = new Work();
show.yields = () => work.busy;
export const library = new Library($("library"), work, (entry) => openEntry(entry));
let turn = 0; // number of the latest opening
export const takeTurn = () => ++turn;
export const isLast = (mine) => mine === turn;

// ---- Words -----------------------------------------------------------------------------------

for (const element of document.querySelectorAll("[data-text]")) element.textContent = T[element.dataset.text];
for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", T[element.dataset.label]);
$("search").placeholder = T.searchHint;

export function say(sentence) {
  $("message").textContent = sentence ?? "";
  $("message").hidden = !sentence;
}

export function fail(error) {
  say(error.message);
  if (!(error instanceof LerpmeshError)) console.error(error);
}

// ---- Opening ---------------------------------------------------------------------------------

/** Opens files, [path, Blob, bytes or Remote] each, then shows the first model, or `wanted`. */
export async function openFiles(entries, { wanted = null, source = null } = {}) {
  if (entries.length === 0) return;
  const mine = takeTurn();
  let files = null;
  say(T.reading(entries[0][0]));
  try {
    files = await Files.from(entries);
    await tellWorker(entries);
    const listed = await work.ask("models", { paths: rootsOf(entries) });
    if (!isLast(mine)) return files.dispose();
    if (!wanted && listed.every((one) => one.problem)) throw new LerpmeshError({ message: listed.find((one) => one.path !== ".")?.problem ?? T.noModels });
    state.files?.dispose();
    Object.assign(state, { entries, files, source });
    files = null;
    const models = library.fill(listed);
    say(null);
    const first = wanted ?? { entry: models[0] };
    await openEntry(first.entry, first);
  } catch (error) {
    files?.dispose();
    if (!isLast(mine)) return;
    fail(error);
    await tellWorker(state.entries); // the previous files stay open
  }
}

// Sends the files to the worker.
const tellWorker = (entries) =>
  work.ask("files", { entries: entries.map(([path, { url, size }], i) => [path, url ? { url, size } : entries[i][1]]) });

// Lists each archive by its path, and all other files as one folder.
function rootsOf(entries) {
  const archives = entries.map(([path]) => path).filter((path) => ARCHIVE.test(path));
  return archives.length === entries.length ? archives : [".", ...archives];
}

export async function openEntry(entry, { skin = null, attached = [], ...view } = {}) {
  const mine = takeTurn();
  try {
    const skins = skin ? [skin] : [];
    const armed = /\.md2$/i.test(entry.path) && attached.some(({ tag }) => !tag); // replaces the player's weapon.md2
    const { files } = state;
    const other = OTHER.test(entry.path) ? await work.ask("import", { path: entry.path }) : null;
    for (const [name, bytes] of other?.files ?? []) files.system.add(name, bytes);
    const path = other?.path ?? (armed ? entry.path : (entry.player ?? entry.path));
    if (!isLast(mine)) return;
    const model = await files.open(path, { companions: !armed, skins, attach: attached });
    if (!isLast(mine)) return model.dispose();
    state.imported = other?.messages ?? null;
    await adopt(model, { entry, skin, attached, ...view });
    library.select(entry);
  } catch (error) {
    if (!isLast(mine)) return;
    await showBroken(entry);
    fail(error);
    if (/\.gltf$/i.test(entry.path) && /cannot open/.test(error.message)) say(T.gltfAlone(error.message));
  }
}

// Shows check and bytes of a file that does not open as a model.
async function showBroken(entry) {
  const before = state.model;
  Object.assign(state, { model: null, entry, skin: null, attached: [] });
  await show.show(null);
  before?.dispose();
  library.select(entry);
  document.body.classList.add("bare");
  document.title = `${titleOf()} - lerpmesh`;
  openTab("check");
}

async function adopt(model, { entry, skin, attached, clip, camera, frame, playing = true }) {
  const before = state.model;
  const same = before && state.entry === entry;
  const wanted = clip === undefined && same ? (before.clip?.name ?? null) : clip; // null: all frames
  Object.assign(state, { model, entry, skin, attached });
  document.body.classList.toggle("bare", Boolean(show.blind)); // sizes the canvas before drawing
  await show.show(model, {
    clip: wanted === null || (wanted && model.hasClip(wanted)) ? wanted : model.rest,
    playing: playing && !matchMedia("(prefers-reduced-motion: reduce)").matches,
    keepCamera: Boolean(same),
  });
  document.body.classList.toggle("bare", Boolean(show.blind));
  say(show.blind ? T.blind : null);
  before?.dispose();
  applyHow();
  if (camera) show.camera = camera;
  if (frame !== undefined) {
    show.playing = false;
    show.seek(frame);
  }
  refresh();
}

export const titleOfPath = (path) => path.split(/[/:]/).filter(Boolean).pop().replace(/(.)\.[^.]*$/, "$1");
export const wear = (skin) => openEntry(state.entry, { skin, attached: state.attached });
export const attach = (attached) => openEntry(state.entry, { skin: state.skin, attached });

// Opens the sample model, Tick. The worker starts only after it is drawn.
async function openSample() {
  const entries = await begun;
  if (turn > 0) return; // the user has opened something meanwhile
  Object.assign(state, { entries, files: await Files.from(entries) });
  const [entry] = library.fill([{ path: "tick.md2" }]);
  await openEntry(entry, { clip: "run" });
  requestAnimationFrame(() => setTimeout(() => state.entries === entries && tellWorker(entries).catch(fail)));
}

// ---- Links -----------------------------------------------------------------------------------

// In links, + is literal, as in LEGS_RUN+TORSO_ATTACK; a space is %20.
function readLink() {
  const link = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  return link.get("model") ? link : null;
}

// ---- Drag and drop, file dialogs -------------------------------------------------------------

async function filesOf(item, path = "") {
  if (item.isFile) {
    const file = await new Promise((resolve, reject) => item.file(resolve, reject));
    return [[path + item.name, file]];
  }
  const reader = item.createReader();
  const found = [];
  for (let batch; (batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))).length > 0; )
    for (const child of batch) found.push(...(await filesOf(child, `${path}${item.name}/`)));
  return found;
}

addEventListener("dragover", (event) => {
  event.preventDefault();
  $("drop").hidden = false;
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) $("drop").hidden = true;
});
addEventListener("drop", async (event) => {
  event.preventDefault();
  $("drop").hidden = true;
  const items = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const plain = [...event.dataTransfer.files].map((file) => [file.name, file]);
  try {
    const entries = items.length ? (await Promise.all(items.map((item) => filesOf(item)))).flat() : plain;
    await (event.target.closest?.("#attach") ? (await import("./skins.js")).attachFiles(entries) : openFiles(entries));
  } catch (error) {
    fail(error);
  }
});
$("pick").onclick = () => $("file-input").click();
$("pick-folder").onclick = () => $("folder-input").click();
for (const input of [$("file-input"), $("folder-input")])
  input.onchange = () => {
    void openFiles([...input.files].map((file) => [file.webkitRelativePath || file.name, file]));
    input.value = "";
  };

// ---- Controls --------------------------------------------------------------------------------

function makeButton(parent, text, click) {
  const button = document.createElement("button");
  button.textContent = text;
  button.onclick = click;
  parent.append(button);
  return button;
}

const shading = document.createElement("select");
shading.setAttribute("aria-label", T.look);
shading.append(...SHADES.map((shade) => new Option(T.shades[shade], shade)));
shading.onchange = () => show.set({ shade: shading.value });
$("views").append(shading);
const toggles = Object.fromEntries(TOGGLES.map((name) => [name, makeButton($("views"), T.toggles[name], () => show.toggle(name))]));
const interpolating = makeButton($("views"), T.interpolate, () => setHow({ interpolate: !state.model.how.interpolate }));

$("speed").append(...SPEEDS.map((speed) => new Option(T.speeds(speed), speed, false, speed === 1)));
$("mode").append(...MODES.map((mode) => new Option(T.modes[mode], mode)));
$("speed").onchange = $("mode").onchange = () => applyHow();
$("play").onclick = () => (show.playing = !show.playing);
$("step-back").onclick = () => show.step(-1);
$("step-on").onclick = () => show.step(1);
const clips = new ClipLists($("clips"), (name) => show.play(name));
export const playClip = (part, name) => clips.choose(part, name);
$("scrubber").oninput = () => show.seek(Number($("scrubber").value));

function setHow(how) {
  if (!state.model) return;
  state.model.how = how;
  show.draw();
  refresh();
}

function applyHow() {
  setHow({ speed: Number($("speed").value), mode: $("mode").value });
}

function refreshTime() {
  const { model } = state;
  const count = model.clip?.count ?? model.parts[0].frames;
  const position = Math.min(Math.max(model.position, 0), count - 1);
  $("scrubber").max = Math.max(count - 1, 0.001);
  $("scrubber").value = position;
  $("frame").value = T.frameOf(Math.round(position) + 1, count);
}

export function refresh() {
  const { model } = state;
  if (!model) return;
  $("play").setAttribute("aria-pressed", show.playing);
  clips.refresh(model);
  shading.value = show.look.shade;
  for (const name of TOGGLES) toggles[name].setAttribute("aria-pressed", Boolean(show.look[name]));
  toggles.glCommands.hidden = !model.parts.some((part) => part.info.gl_commands?.triangles);
  interpolating.setAttribute("aria-pressed", model.how.interpolate);
  $("canvas").setAttribute("aria-label", `${titleOf()}${model.clip ? `, ${model.clip.name}` : ""}`);
  document.title = `${titleOf()} - lerpmesh`;
  refreshTime();
  refreshTabs();
}

/** Returns the files of the current model, or the one that failed to open: { path, title, part, read() }. */
export function sources() {
  const parts = state.model?.parts ?? (state.entry ? [{ path: state.entry.path }] : []);
  const { files } = state;
  return parts.map((part) => ({ path: part.path, title: part.path.split(/[/:]/).pop(), part: state.model && part, read: () => files.read(part.path) }));
}

export function titleOf() {
  return state.entry?.title ?? state.entry?.path.split(/[/:]/).pop() ?? state.model?.name ?? "";
}

const tabs = TABS.map((name) => {
  const button = makeButton($("tabs"), T.tabs[name], () => openTab(name));
  button.role = "tab";
  return [name, button];
});
let drawn = null; // content of the panel: tab, model, entry

/** Opens a tab. `anew`: draws it again even if it is open. */
export function openTab(name, anew = false) {
  if (anew) drawn = null;
  state.tab = name;
  refreshTabs();
}

function refreshTabs() {
  for (const [name, button] of tabs) button.setAttribute("aria-selected", name === state.tab);
  if (drawn?.tab === state.tab && drawn.model === state.model && drawn.entry === state.entry) return;
  const mine = (drawn = { tab: state.tab, model: state.model, entry: state.entry });
  const fill = (elements) => {
    if (mine !== drawn) return;
    const inside = $("panel").contains(document.activeElement);
    $("panel").replaceChildren(...elements);
    if (inside) $("panel").focus();
    $("panel").scrollTop = 0;
  };
  drawPanel(state.tab).then(fill, (error) => fill([make("p", error.message, { className: "quiet" })]));
}

show.addEventListener("frame", () => {
  if (state.model) refreshTime();
});
show.addEventListener("change", refresh);
show.addEventListener("lost", () => say(T.lost));
show.addEventListener("restored", () => say(null));
show.addEventListener("error", (event) => fail(event.detail));

$("help-button").onclick = () => $("help").showModal();
const keys = document.createElement("dl");
for (const [key, what] of T.keys) {
  const [term, text] = [document.createElement("dt"), document.createElement("dd")];
  term.textContent = key;
  text.textContent = what;
  keys.append(term, text);
}
const about = document.createElement("p");
about.textContent = T.helpAbout;
$("help-body").append(about, keys);

addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph")) return; // the browser's shortcuts
  if (event.target.closest("input, select, dialog, #grid") || (event.target.closest("button") && [" ", "Enter"].includes(event.key))) return;
  if (event.key === "f") void (document.fullscreenElement ? document.exitFullscreen() : $("stage").requestFullscreen());
  else if (event.key === "u") openTab(state.tab === "uv" ? "model" : "uv");
  else if (event.key === "?" || event.key === "h") $("help").showModal();
  else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && !event.shiftKey) library.move(event.key === "ArrowRight" ? 1 : -1);
  else if (!show.key(event)) return;
  refresh();
});

async function follow(link) {
  const mine = takeTurn();
  try {
    await (await import("./links.js")).openLink(link, mine);
  } catch (error) {
    if (isLast(mine)) fail(error);
  }
}
/** Returns a link to the current view. */
export const linkToView = async () => (await import("./links.js")).linkToView();
addEventListener("hashchange", () => readLink() && follow(readLink()));
void show.begin().catch(() => {}); // show() reports the error
// Not awaited, because the modules that it imports wait for this one.
(link ? follow(link) : openSample().catch(fail)).finally(() => {
  document.documentElement.dataset.ready = "";
  // Registered last, so that its downloads do not delay the first frame.
  if ("serviceWorker" in navigator && isSecureContext) void navigator.serviceWorker.register("sw.js");
});
