// The page: its controls and tabs, and what it opens first.
import { Files } from "../lib/index.js";
import { getEngine } from "../lib/module.js";
import { SHADES } from "../lib/show.js";
import {
  listenForArrows,
  loadStyle,
  makeElement,
  makeIcon,
  makeIconButton,
  makeNote,
  makeSelect,
  selectTab,
} from "./elements.js";
import { sample } from "./files.js";
import { backdropOf, theme } from "./library.js";
import { library, openEntry, openFiles, reopen } from "./open.js";
import {
  $,
  events,
  hasOpened,
  isLatest,
  isStill,
  openTab,
  playback,
  show,
  showError,
  showMessage,
  startOpening,
  state,
  titleOf,
  TOGGLES,
  worker,
} from "./state.js";
import { STRINGS as T } from "./strings.js";

// Starts everything that the first frame needs, in parallel.
const link = readLink();
const sampleEntries = link ? null : sample();
sampleEntries?.catch(() => {});
void getEngine().catch(() => {});

const MOST_MARKS = 120; // on the timeline
// Each tab's code is fetched when it is first opened.
const TABS = {
  model: async () => (await import("./inspect.js")).modelPanel(),
  problems: async () => (await import("./inspect.js")).problemsPanel(),
  skins: async () => (await import("./skins.js")).skinsPanel(),
  uv: async () => (await import("./inspect.js")).uvPanel(),
  file: async () => (await import("./inspect.js")).filePanel(),
  save: async () => (await import("./save.js")).savePanel(),
};

// For consoles and tests.
export { library, openEntry, openFiles, reopen, show, showMessage, state, worker };
export const linkToView = async () => (await import("./links.js")).linkToView();

// ---- Texts -----------------------------------------------------------------------------------

for (const element of document.querySelectorAll("[data-text]")) element.textContent = T[element.dataset.text];
for (const element of document.querySelectorAll("[data-label]"))
  element.setAttribute("aria-label", T[element.dataset.label]);
for (const button of document.querySelectorAll("button[data-icon][data-label]"))
  button.dataset.tip = T[button.dataset.label];
for (const element of document.querySelectorAll("[data-icon]")) element.prepend(makeIcon(element.dataset.icon));
$("search").placeholder = T.searchHint;
$("skip").onclick = (event) => {
  event.preventDefault(); // the address keeps its link
  $("canvas").focus();
};

// ---- Opening ---------------------------------------------------------------------------------

// Opens the sample model, Tick. The worker starts only after it is drawn.
async function openSample() {
  const entries = await sampleEntries;
  if (hasOpened()) return; // the user has opened something meanwhile
  Object.assign(state, { entries, files: await Files.from(entries), source: { sample: "tick" } });
  const [entry] = library.fill([{ path: "tick.md2" }]);
  await openEntry(entry, { clip: "run" });
  requestAnimationFrame(() => setTimeout(() => worker.start()));
}

// In links, + is literal, as in LEGS_RUN+TORSO_ATTACK; a space is %20. A fragment without values is no link.
function readLink() {
  const link = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  return [...link.values()].some(Boolean) ? link : null;
}

async function followLink(link) {
  const opening = startOpening();
  try {
    await (await import("./links.js")).openLink(link, opening);
  } catch (error) {
    if (isLatest(opening)) showError(error);
  }
}

const startPage = () => import("./start.js");
events.addEventListener("opened", ({ detail }) => void startPage().then((page) => page.remember(detail)));

// ---- Drag and drop, file dialogs -------------------------------------------------------------

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
    const { filesOfEntry, receive } = await startPage();
    const entries = items.length ? (await Promise.all(items.map((item) => filesOfEntry(item)))).flat() : plain;
    const handles = (await Promise.all(found)).filter(Boolean);
    if (event.target.closest?.("#attach")) await (await import("./skins.js")).attachFiles(entries);
    else if (event.target.closest?.("#light")) await (await import("./light.js")).lightBy(entries);
    else await receive(entries, handles);
  } catch (error) {
    showError(error);
  }
});
$("pick").onclick = () => startPage().then(({ pick }) => pick("file")).catch(showError);
$("pick-folder").onclick = () => startPage().then(({ pick }) => pick("folder")).catch(showError);
for (const input of [$("file-input"), $("folder-input")])
  input.onchange = () => {
    const entries = [...input.files].map((file) => [file.webkitRelativePath || file.name, file]);
    void startPage().then(({ receive }) => receive(entries)).catch(showError);
    input.value = "";
  };

// ---- Controls --------------------------------------------------------------------------------

const { back, play, next, scrubber, frame, clipFields, speed, mode, interpolate } = playback;
Object.assign(scrubber, { id: "scrubber", step: "any" });
frame.id = "frame";
clipFields.id = "clips";
$("toolbar").prepend(scrubber);
$("timeline").append(back, play, next, frame, clipFields, speed.field, mode.field, interpolate);

const { field, select: shading } = makeSelect(
  T.display,
  SHADES.map((shade) => new Option(T.shades[shade], shade)),
  { icon: "shade" },
);
shading.onchange = () => show.set({ shade: shading.value });
$("shading").append(field);
const toggles = Object.fromEntries(
  Object.entries(TOGGLES).map(([name, key]) => [
    name,
    makeIconButton(name, T.toggles[name], () => show.toggle(name), key),
  ]),
);
$("views").append(...Object.values(toggles));
const eye = makeIconButton("eye", T.eye, () => (show.options.eye ? show.fit() : show.view("eye")), "0");
$("camera").prepend(
  eye,
  makeIconButton("fit", T.fit, () => show.fit(), "Enter"),
  makeIconButton("fullscreen", T.fullScreen, toggleFullScreen, "F"),
);

function toggleFullScreen() {
  const changed = document.fullscreenElement ? document.exitFullscreen() : $("stage").requestFullscreen();
  changed.catch((error) => showMessage(error.message)); // the browser may refuse
}

$("more-controls").onclick = () => {
  $("more-controls").setAttribute("aria-expanded", $("toolbar").classList.toggle("all"));
  void import("./light.js").catch(showError);
};

function refreshTime() {
  const { count, share } = playback.updatePosition();
  const { style } = scrubber;
  style.setProperty("--share", share);
  style.setProperty("--step", count > 1 && count <= MOST_MARKS ? `calc((100% - 16px) / ${count - 1})` : "0");
}

function refresh() {
  const { model } = state;
  if (!model || show.model !== model) return; // another one is about to be shown
  if (playback.update(show)) clipFields.classList.toggle("several", clipFields.children.length > 1);
  play.dataset.tip = play.getAttribute("aria-label");
  const still = isStill(model);
  scrubber.hidden = $("timeline").hidden = still;
  $("toolbar").classList.toggle("still", still);
  shading.value = show.options.shade;
  for (const name in TOGGLES) toggles[name].setAttribute("aria-pressed", Boolean(show.options[name]));
  toggles.glCommands.hidden = !model.parts.some((part) => part.info.gl_commands?.triangles);
  eye.setAttribute("aria-pressed", Boolean(show.options.eye));
  $("canvas").setAttribute("aria-label", T.canvasLabel(titleOf(), still ? null : model.clip?.name));
  document.title = T.pageTitle(titleOf());
  refreshTime();
  refreshTabs();
}

const tabs = Object.fromEntries(Object.keys(TABS).map((name) =>
  [name, makeElement("button", { onclick: () => openTab(name), role: "tab", id: `tab-${name}` }, T.tabs[name])]));
$("tabs").append(...Object.values(tabs));
listenForArrows($("tabs"));
let drawn = null; // content of the panel: tab, model, entry

events.addEventListener("tab", ({ detail: redraw }) => {
  if (redraw) drawn = null;
  refreshTabs();
});

// Returns the elements of a tab. If no model is open, only "problems" and "file" have content.
async function drawPanel(tab) {
  await loadStyle();
  if (!state.model && !["problems", "file"].includes(tab)) return [makeNote(T.nothingOpen)];
  return TABS[tab]();
}

function refreshTabs() {
  selectTab($("tabs"), tabs[state.tab]);
  $("panel").setAttribute("aria-labelledby", tabs[state.tab].id);
  if (!("ready" in document.documentElement.dataset)) return; // the first frame comes first
  if (drawn?.tab === state.tab && drawn.model === state.model && drawn.entry === state.entry) return;
  const content = (drawn = { tab: state.tab, model: state.model, entry: state.entry });
  $("panel").ariaBusy = "true"; // it still has the elements of another tab
  const fill = (elements) => {
    if (content !== drawn) return;
    $("panel").ariaBusy = null;
    const inside = $("panel").contains(document.activeElement);
    $("panel").replaceChildren(...elements);
    if (inside) $("panel").focus();
    $("panel").scrollTop = 0;
  };
  drawPanel(state.tab).then(fill, (error) => fill([makeNote(error.message)]));
}

show.addEventListener("frame", () => {
  if (show.model) refreshTime();
});
show.addEventListener("change", refresh);
show.addEventListener("lost", () => showMessage(T.contextLost));
show.addEventListener("restored", () => showMessage(null));
show.addEventListener("error", (event) => showError(event.detail));

// The backdrop follows the theme.
const followTheme = () => {
  show.set(backdropOf(state.backdrop));
  library.redraw();
};
theme.addEventListener("change", followTheme);
followTheme();

const openHelp = () => startPage().then((page) => page.openHelp()).catch(showError);
$("help-button").onclick = openHelp;

addEventListener("keydown", (event) => {
  // The browser's shortcuts.
  if ((event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph")) return;
  if (
    event.target.closest("input, select, dialog, #grid") ||
    (event.target.closest("a, button") && [" ", "Enter"].includes(event.key))
  )
    return;
  // People who dictate enter words anywhere, so signs need the focus (WCAG 2.1.4).
  if (event.key.length === 1 && event.key !== " " && !event.target.closest("#stage")) return;
  if (event.key === "f") toggleFullScreen();
  else if (event.key === "u") openTab(state.tab === "uv" ? "model" : "uv");
  else if (event.key === "?" || event.key === "h") void openHelp();
  else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && !event.shiftKey)
    library.move(event.key === "ArrowRight" ? 1 : -1);
  else if (!show.key(event)) return;
  refresh();
});

addEventListener("hashchange", () => readLink() && followLink(readLink()));
void show.begin().catch(() => {}); // show() reports the error
(link ? followLink(link) : openSample().catch(showError)).finally(() => {
  document.documentElement.dataset.ready = "";
  refreshTabs();
  void startPage().then(({ drawStart }) => drawStart());
  // Registered last, so that its downloads do not delay the first frame.
  if ("serviceWorker" in navigator && isSecureContext) void navigator.serviceWorker.register("sw.js");
});
