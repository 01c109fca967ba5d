// The page: its state and controls.
import { Files, LerpmeshError } from "./lib/index.js";
import { getEngine } from "./lib/module.js";
import { SHADES, Show } from "./lib/show.js";
import { ClipLists } from "./clips.js";
import { listenForArrows, makeElement, makeIconButton, makeSelect, selectTab } from "./elements.js";
import { ARCHIVE, GLTF, SKIN } from "./extensions.js";
import { makeIcon, setIcon } from "./icons.js";
import { Library, backdropOfTheme, theme } from "./library.js";
import { drawPanel, TABS } from "./panels.js";
import { sample } from "./sample.js";
import { STRINGS as T } from "./strings.js";
import { WorkerClient } from "./worker_client.js";

// Starts everything that the first frame needs, in parallel.
const link = readLink();
const sampleEntries = link ? null : sample();
sampleEntries?.catch(() => {});
void getEngine().catch(() => {});

const $ = (id) => document.getElementById(id);
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
/** The overlays with their keys. */
export const TOGGLES = { edges: "E", grid: "G", axes: "X", tags: "T", box: "O", vertexNormals: "N", glCommands: "C", shadow: null };
const DEFAULT_CAMERA = { azimuth: 30, elevation: 15 };
const MOST_MARKS = 120; // on the timeline
const MODES = ["clip", "loop", "once", "ping-pong"];

/** The state that all parts of the page share. */
export const state = {
  entries: [], // the open files: [path, Blob, bytes or Remote] each
  files: null, // a Files of `entries`
  entry: null, // the current entry of the library: { path, player, title }
  model: null,
  skin: null, // the chosen one: an option of Files.open, or its number in the model's own list, from 1
  own: [], // the user's images and .skin files for this model: { path, title, surfaces: those that it covers }
  attached: [], // attached models: { tag, path, title }
  repair: false, // shows the intact parts of a damaged model
  tab: "model",
  imported: null, // messages of the import, if the model is a glTF
  bytes: null, // the bytes shown in the tab "file": { path, offset, size, lump }
  source: null, // the URL it came from: { href, skin: the skin's URL }
};
export const show = new Show($("canvas"), { allowNoGraphics: true });
export const worker = new WorkerClient();
show.yields = () => worker.busy;
export const library = new Library($("library"), worker, (entry) => openEntry(entry));
let lastOpening = 0; // each opening has a number
export const startOpening = () => ++lastOpening;
export const isLatest = (opening) => opening === lastOpening;

// ---- Texts and messages ----------------------------------------------------------------------

for (const element of document.querySelectorAll("[data-text]")) element.textContent = T[element.dataset.text];
for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", T[element.dataset.label]);
for (const button of document.querySelectorAll("button[data-icon][data-label]")) button.dataset.tip = T[button.dataset.label];
for (const element of document.querySelectorAll("[data-icon]")) element.prepend(makeIcon(element.dataset.icon));
$("search").placeholder = T.searchHint;

/**
 * Shows a message below the model; null: none. `details`: the library's message, or a list of them. `action`: a button,
 * { label, act }.
 */
export function showMessage(text, { details = null, action = null } = {}) {
  const box = $("message");
  const lines = [details ?? []].flat();
  showReading(null);
  box.hidden = !text;
  box.replaceChildren(makeElement("span", text ?? ""));
  if (action) makeButton(box, action.label, action.act);
  box.append(makeIconButton("close", T.dismiss, () => showMessage(null)));
  if (lines.length === 0) return;
  const element = makeElement("details");
  element.append(makeElement("summary", T.details), ...lines.map((line) => makeElement("p", line)));
  box.append(element);
}

export function showError(error) {
  showMessage(error.message, error);
  if (!(error instanceof LerpmeshError)) console.error(error);
}

/** Shows in the header that a file is read; null: the title of the model again. */
export function showReading(name) {
  const { model } = state;
  const triangles = model?.parts.flatMap((part) => part.surfaces).reduce((sum, one) => sum + one.triangles, 0);
  const texts = name === null ? [titleOf(), model ? T.summary(model.format, triangles, model.parts[0].frames) : ""] : [T.reading(name)];
  document.body.classList.toggle("busy", name !== null);
  if ($("title").textContent !== texts.join("")) $("title").replaceChildren(...texts.map((text, i) => makeElement(i ? "span" : "strong", text)));
}

// ---- Opening ---------------------------------------------------------------------------------

/**
 * Opens files, [path, Blob, bytes or Remote] each, then shows the first model, or `wanted`. `handles`: those of the
 * files or folders that the user chose, to open them again; null: forgets them.
 */
export async function openFiles(entries, { wanted = null, source = null, handles = [] } = {}) {
  if (entries.length === 0) return;
  const opening = startOpening();
  let files = null;
  showReading(nameOf(entries[0][0]));
  try {
    files = await Files.from(entries);
    await sendFiles(entries);
    const listed = await worker.request("models", { paths: rootsOf(entries) });
    if (!isLatest(opening)) return files.dispose();
    if (!wanted?.entry && listed.every((one) => one.problem)) throw await (await import("./failures.js")).noModelsError(entries, listed);
    state.files?.dispose();
    Object.assign(state, { entries, files, source });
    files = null;
    const models = library.fill(listed);
    showMessage(null);
    const first = { entry: models[0], ...wanted };
    await openEntry(first.entry, first);
    if (handles) void import("./recent.js").then(({ remember }) => remember({ entries, handles, href: source && location.hash }));
    const unreadable = listed.filter((one) => one.problem);
    if (unreadable.length && isLatest(opening) && $("message").hidden)
      showMessage(T.unreadable(unreadable.length), { details: unreadable.map((one) => `${one.path}: ${one.problem}`) });
  } catch (error) {
    files?.dispose();
    if (!isLatest(opening)) return;
    showError(error);
    await sendFiles(state.entries); // the previous files stay open
  }
}

/** Returns files in the form that a worker's call "files" takes. */
export const filesForWorker = (entries) => ({ entries: entries.map(([path, { url, size }], i) => [path, url ? { url, size } : entries[i][1]]) });

const sendFiles = (entries) => worker.request("files", filesForWorker(entries));

// Lists each archive by its path, and all other files as one folder.
function rootsOf(entries) {
  const archives = entries.map(([path]) => path).filter((path) => ARCHIVE.test(path));
  return archives.length === entries.length ? archives : [".", ...archives];
}

const openFile = (files, path, options) => files.open(path, options);

/**
 * Opens an entry of the library. `repair`: opens the intact parts of a damaged model. `open`: opens the model, perhaps
 * without some of the skins and attached models.
 */
export async function openEntry(entry, { skin = null, attached = [], repair = false, own = [], open = openFile, ...view } = {}) {
  const opening = startOpening();
  try {
    const ownSkins = own.flatMap(({ path, surfaces }) => surfaces.map((surface) => `${surface}=${path}`));
    const [skins, listedSkin] = typeof skin === "number" ? [ownSkins, skin] : [[skin, ...ownSkins].filter(Boolean)];
    const armed = /\.md2$/i.test(entry.path) && attached.some(({ tag }) => !tag); // replaces the player's weapon.md2
    const { files } = state;
    const imported = GLTF.test(entry.path) ? await worker.request("import", { path: entry.path }) : null;
    for (const [name, bytes] of imported?.files ?? []) files.system.add(name, bytes);
    const path = imported?.path ?? (armed ? entry.path : (entry.player ?? entry.path));
    if (!isLatest(opening)) return;
    const model = await open(files, path, { related: !armed, skins, listedSkin, attach: attached, repair });
    if (!isLatest(opening)) return model.dispose();
    state.imported = imported?.messages ?? null;
    const opened = { // without what `open` left out
      skin: typeof skin === "string" && !model.options.skins.includes(skin) ? null : skin,
      attached: attached.filter((one) => model.options.attach.includes(one)),
    };
    await showModel(model, { entry, repair, own, ...opened, ...view });
    library.select(entry);
  } catch (error) {
    if (!isLatest(opening)) return;
    await showUnreadable(entry);
    await import("./failures.js").then(({ explain }) => explain(entry, error, opening)).catch(() => showError(error));
  }
}

// Shows problems and bytes of a file that does not open as a model.
async function showUnreadable(entry) {
  const previous = state.model;
  Object.assign(state, { model: null, entry, skin: null, own: [], attached: [], repair: false });
  await show.show(null);
  previous?.dispose();
  library.select(entry);
  document.body.classList.add("no-view");
  document.title = T.pageTitle(titleOf());
  showReading(null);
  openTab("problems");
}

async function showModel(model, { entry, skin, attached, repair, own, clip, playing = true }) {
  const previous = state.model;
  const same = previous && state.entry === entry;
  const wanted = clip === undefined && same ? (previous.clip?.name ?? null) : clip; // null: all frames
  Object.assign(state, { model, entry, skin, attached, repair, own });
  document.body.classList.toggle("no-view", Boolean(show.graphicsError)); // sizes the canvas before drawing
  if (!same) show.camera = DEFAULT_CAMERA;
  await show.show(model, {
    clip: wanted === null || (wanted && model.hasClip(wanted)) ? wanted : model.restClip,
    playing: playing && !matchMedia("(prefers-reduced-motion: reduce)").matches,
    keepCamera: Boolean(same),
  });
  document.body.classList.toggle("no-view", Boolean(show.graphicsError));
  showMessage(show.graphicsError ? T.noWebGl : null);
  previous?.dispose();
  applyPlayback();
  refresh();
}

export const titleOfPath = (path) => nameOf(path).replace(/(.)\.[^.]*$/, "$1");
export const nameOf = (path) => path.split(/[/:]/).filter(Boolean).pop();
/** Opens the current model again with another `skin`, `own` or `attached`. */
export function reopen(changes) {
  const { skin, own, attached, repair } = state;
  return openEntry(state.entry, { skin, own, attached, repair, ...changes });
}

// Opens the sample model, Tick. The worker starts only after it is drawn.
async function openSample() {
  const entries = await sampleEntries;
  if (lastOpening > 0) return; // the user has opened something meanwhile
  Object.assign(state, { entries, files: await Files.from(entries) });
  const [entry] = library.fill([{ path: "tick.md2" }]);
  await openEntry(entry, { clip: "run" });
  requestAnimationFrame(() => setTimeout(() => state.entries === entries && sendFiles(entries).catch(showError)));
}

// ---- Links -----------------------------------------------------------------------------------

// In links, + is literal, as in LEGS_RUN+TORSO_ATTACK; a space is %20.
function readLink() {
  const link = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  return link.get("model") ? link : null;
}

// ---- Drag and drop, file dialogs -------------------------------------------------------------

// Opens files that the user gave. Skins alone are for the current model.
export async function receive(entries, handles = []) {
  const skins = state.model && entries.length > 0 && entries.every(([path]) => SKIN.test(path));
  await (skins ? (await import("./skins.js")).addSkins(entries) : openFiles(entries, { handles }));
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
  const found = [...event.dataTransfer.items].map((item) => item.getAsFileSystemHandle?.().catch(() => null));
  const plain = [...event.dataTransfer.files].map((file) => [file.name, file]);
  try {
    const { filesOfEntry } = await import("./recent.js");
    const entries = items.length ? (await Promise.all(items.map((item) => filesOfEntry(item)))).flat() : plain;
    const handles = (await Promise.all(found)).filter(Boolean);
    await (event.target.closest?.("#attach") ? (await import("./skins.js")).attachFiles(entries) : receive(entries, handles));
  } catch (error) {
    showError(error);
  }
});
$("pick").onclick = () => import("./recent.js").then(({ pick }) => pick("file")).catch(showError);
$("pick-folder").onclick = () => import("./recent.js").then(({ pick }) => pick("folder")).catch(showError);
for (const input of [$("file-input"), $("folder-input")])
  input.onchange = () => {
    void receive([...input.files].map((file) => [file.webkitRelativePath || file.name, file])).catch(showError);
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

const { field, select: shading } = makeSelect(T.display, SHADES.map((shade) => new Option(T.shades[shade], shade)), { icon: "shade" });
shading.onchange = () => show.set({ shade: shading.value });
$("shading").append(field);
const toggles = Object.fromEntries(Object.entries(TOGGLES).map(([name, key]) => [name, makeIconButton(name, T.toggles[name], () => show.toggle(name), key)]));
$("views").append(...Object.values(toggles));
const interpolating = makeIconButton("interpolate", T.interpolate, () => setPlayback({ interpolate: !state.model.playback.interpolate }), "I");
$("timeline").append(interpolating);
$("camera").append(makeIconButton("fit", T.fit, () => show.aim(), "Enter"), makeIconButton("fullscreen", T.fullScreen, toggleFullScreen, "F"));

function toggleFullScreen() {
  const changed = document.fullscreenElement ? document.exitFullscreen() : $("stage").requestFullscreen();
  changed.catch((error) => showMessage(error.message)); // the browser may refuse
}

$("speed").append(...SPEEDS.map((speed) => new Option(T.speeds(speed), speed, false, speed === 1)));
$("mode").append(...MODES.map((mode) => new Option(T.modes[mode], mode)));
$("speed").onchange = $("mode").onchange = () => applyPlayback();
$("play").onclick = () => (show.playing = !show.playing);
$("step-back").onclick = () => show.step(-1);
$("step-on").onclick = () => show.step(1);
const clips = new ClipLists($("clips"), (name) => show.model === clips.model && show.play(name)); // not while another is about to be shown
export const playClip = (part, name) => clips.choose(part, name);
$("scrubber").oninput = () => show.seek(Number($("scrubber").value));

function setPlayback(playback) {
  if (!state.model) return;
  state.model.playback = playback;
  show.draw();
  refresh();
}

function applyPlayback() {
  setPlayback({ speed: Number($("speed").value), mode: $("mode").value });
}

function refreshTime() {
  const { model } = state;
  const count = model.clip?.count ?? model.parts[0].frames;
  const position = Math.min(Math.max(model.position, 0), count - 1);
  const frame = Math.round(position) + 1;
  $("scrubber").max = Math.max(count - 1, 0.001);
  $("scrubber").value = position;
  $("scrubber").style.setProperty("--share", count > 1 ? position / (count - 1) : 0);
  $("scrubber").style.setProperty("--step", count > 1 && count <= MOST_MARKS ? `calc((100% - 16px) / ${count - 1})` : "0");
  $("scrubber").setAttribute("aria-valuetext", T.frameText(frame, count));
  $("frame").value = T.frameOf(frame, count);
}

export function refresh() {
  const { model } = state;
  if (!model) return;
  $("play").setAttribute("aria-pressed", show.playing);
  setIcon($("play").firstChild, show.playing ? "pause" : "play");
  clips.refresh(model);
  shading.value = show.options.shade;
  for (const name in TOGGLES) toggles[name].setAttribute("aria-pressed", Boolean(show.options[name]));
  toggles.glCommands.hidden = !model.parts.some((part) => part.info.gl_commands?.triangles);
  interpolating.setAttribute("aria-pressed", model.playback.interpolate);
  $("canvas").setAttribute("aria-label", T.canvasLabel(titleOf(), model.clip?.name));
  document.title = T.pageTitle(titleOf());
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

const tabs = Object.fromEntries(TABS.map((name) => {
  const button = makeButton($("tabs"), T.tabs[name], () => openTab(name));
  button.role = "tab";
  button.id = `tab-${name}`;
  return [name, button];
}));
listenForArrows($("tabs"));
let drawn = null; // content of the panel: tab, model, entry

/** Opens a tab. `redraw`: draws it again even if it is open. */
export function openTab(name, redraw = false) {
  if (redraw) drawn = null;
  state.tab = name;
  refreshTabs();
}

function refreshTabs() {
  selectTab($("tabs"), tabs[state.tab]);
  $("panel").setAttribute("aria-labelledby", tabs[state.tab].id);
  if (!("ready" in document.documentElement.dataset)) return; // the first frame comes first
  if (drawn?.tab === state.tab && drawn.model === state.model && drawn.entry === state.entry) return;
  const content = (drawn = { tab: state.tab, model: state.model, entry: state.entry });
  const fill = (elements) => {
    if (content !== drawn) return;
    const inside = $("panel").contains(document.activeElement);
    $("panel").replaceChildren(...elements);
    if (inside) $("panel").focus();
    $("panel").scrollTop = 0;
  };
  drawPanel(state.tab).then(fill, (error) => fill([makeElement("p", error.message, { className: "quiet" })]));
}

show.addEventListener("frame", () => {
  if (state.model) refreshTime();
});
show.addEventListener("change", refresh);
show.addEventListener("lost", () => showMessage(T.contextLost));
show.addEventListener("restored", () => showMessage(null));
show.addEventListener("error", (event) => showError(event.detail));

// The backdrop follows the theme.
const followTheme = () => {
  show.set(backdropOfTheme());
  library.redraw();
};
theme.addEventListener("change", followTheme);
followTheme();

const openHelp = () => import("./help.js").then((help) => help.openHelp()).catch(showError);
$("help-button").onclick = openHelp;

addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph")) return; // the browser's shortcuts
  if (event.target.closest("input, select, dialog, #grid") || (event.target.closest("button") && [" ", "Enter"].includes(event.key))) return;
  if (event.key === "f") toggleFullScreen();
  else if (event.key === "u") openTab(state.tab === "uv" ? "model" : "uv");
  else if (event.key === "?" || event.key === "h") void openHelp();
  else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && !event.shiftKey) library.move(event.key === "ArrowRight" ? 1 : -1);
  else if (!show.key(event)) return;
  refresh();
});

async function followLink(link) {
  const opening = startOpening();
  try {
    await (await import("./links.js")).openLink(link, opening);
  } catch (error) {
    if (isLatest(opening)) showError(error);
  }
}
/** Returns a link to the current view. */
export const linkToView = async () => (await import("./links.js")).linkToView();
addEventListener("hashchange", () => readLink() && followLink(readLink()));
void show.begin().catch(() => {}); // show() reports the error
// Not awaited, because the modules that it imports wait for this one.
(link ? followLink(link) : openSample().catch(showError)).finally(() => {
  document.documentElement.dataset.ready = "";
  refreshTabs();
  void import("./start.js").then(({ drawStart }) => drawStart());
  // Registered last, so that its downloads do not delay the first frame.
  if ("serviceWorker" in navigator && isSecureContext) void navigator.serviceWorker.register("sw.js");
});
