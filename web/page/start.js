// The start page: the place to drop files, samples, recent files, and the formats; file dialogs; the dialog "help".
import { loadStyle, makeElement, makeIcon, makeNote } from "./elements.js";
import { listSamples, nameOf, readSample, SKIN } from "./files.js";
import { scrollToStage } from "./library.js";
import { openFiles } from "./open.js";
import { $, showError, showMessage, state } from "./state.js";
import { language, LANGUAGE_KEY, LANGUAGES } from "./strings.js";
import { STRINGS as T } from "./strings_later.js";

const start = $("start");

// Fingers drop no files.
function dropCard() {
  const fingers = matchMedia("(pointer: coarse)").matches;
  return makeElement("button", { className: "drop-card", onclick: () => pick("file").catch(showError) },
    makeIcon(fingers ? "file" : "drop"), makeElement("span", {}, fingers ? T.chooseFiles : T.dropHere),
    makeElement("small", {}, fingers ? T.notUploaded : `${T.dropOr} ${T.notUploaded}`));
}

async function openSample(sample) {
  await openFiles(await readSample(sample), { source: { sample: sample.name }, handles: null });
  scrollToStage();
  markSample();
}

function sampleCard(sample) {
  const { name, files } = sample;
  const format = files.map((path) => /\.(m\w\w)$/.exec(path)?.[1]).find(Boolean);
  const image = makeElement("img", {
    src: `samples/${name.replaceAll("/", "-")}.webp`,
    alt: "",
    width: 120,
    height: 120,
    loading: "lazy",
  });
  const button = makeElement(
    "button",
    { className: "sample", onclick: () => openSample(sample).catch(showError) },
    image,
    makeElement("span", {}, nameOf(name)),
    makeElement("small", {}, (format ?? nameOf(files[0])).toUpperCase()),
  );
  button.dataset.name = name;
  return button;
}

// The kinds of items have the names of icons.
const recentItem = (item) =>
  makeElement(
    "button",
    { className: "recent", onclick: () => reopen(item).catch(showError) },
    makeIcon(item.kind),
    makeElement("span", {}, item.name),
  );

// Marks the sample that is open.
function markSample() {
  for (const card of start.querySelectorAll(".sample"))
    if (card.dataset.name === state.source?.sample) card.setAttribute("aria-current", true);
    else card.removeAttribute("aria-current");
}

// Fills the list of recent files.
async function drawRecent() {
  const items = await recent();
  const box = start.querySelector("#recent");
  if (!box) return; // drawStart() has not finished
  box.hidden = items.length === 0;
  const clear = makeElement("button", { className: "plain", onclick: () => forget().then(drawRecent) }, T.forget);
  box.replaceChildren(makeElement("h2", {}, T.recent, clear), ...items.map(recentItem));
}

const makeList = (pairs) =>
  makeElement(
    "dl",
    {},
    pairs.flatMap(([name, text]) => [makeElement("dt", {}, name), makeElement("dd", {}, text)]),
  );

export async function drawStart() {
  const [samples] = await Promise.all([listSamples().catch(() => []), loadStyle()]);
  const gallery = makeElement("div", { className: "samples" }, samples.map(sampleCard));
  const formats = Object.assign(makeList(T.openable), { className: "formats" });
  start.replaceChildren(
    dropCard(),
    makeElement("h2", {}, T.samples),
    gallery,
    makeElement("section", { id: "recent" }),
    makeElement("h2", {}, T.opens),
    formats,
  );
  markSample();
  await drawRecent();
}

// ---- Recent files ----------------------------------------------------------------------------

// Browsers with the File System Access API keep handles of files in IndexedDB; without it, files are listed until the
// page is closed.
const MOST = 8;
const session = []; // those that cannot be stored

// Runs a request of the database's store: `ask` gets the store.
async function request(mode, ask) {
  const opening = indexedDB.open("lerpmesh", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("recent", { keyPath: "time" });
  const resultOf = (one) =>
    new Promise((resolve, reject) =>
      Object.assign(one, { onsuccess: () => resolve(one.result), onerror: () => reject(one.error) }),
    );
  const database = await resultOf(opening);
  try {
    return await resultOf(ask(database.transaction("recent", mode).objectStore("recent")));
  } finally {
    database.close();
  }
}

// Returns the last items, newest first: { time, name, kind, handles, href, entries }.
async function recent() {
  const stored = await request("readonly", (store) => store.getAll()).catch(() => []);
  return [...stored, ...session].sort((a, b) => b.time - a.time).slice(0, MOST);
}

async function forget() {
  session.length = 0;
  await request("readwrite", (store) => store.clear()).catch(() => {});
}

async function remove(item) {
  if (session.includes(item)) session.splice(session.indexOf(item), 1);
  else await request("readwrite", (store) => store.delete(item.time)).catch(() => {});
}

async function isSame(a, b) {
  if (a.name !== b.name || a.kind !== b.kind || a.href !== b.href) return false;
  return !a.handles?.[0] || !b.handles?.[0] || a.handles[0].isSameEntry(b.handles[0]);
}

async function removeSame(item) {
  for (const one of await recent()) if (await isSame(one, item)) await remove(one);
}

/** Adds opened files to the list, and removes the oldest. */
export async function remember({ entries, handles, href }) {
  const name = href ? nameOf(entries[0][0]) : (handles[0]?.name ?? entries[0][0].split("/")[0]);
  const kind = href ? "link" : handles[0]?.kind === "directory" || entries[0][0].includes("/") ? "folder" : "file";
  const item = {
    time: Date.now(),
    name: entries.length > 1 && kind === "file" ? T.andMore(name, entries.length - 1) : name,
    kind,
    handles,
    href,
  };
  await removeSame(item);
  for (const one of (await recent()).slice(MOST - 1)) await remove(one);
  if (href || handles.length)
    await request("readwrite", (store) => store.put(item)).catch(() => session.push({ ...item, entries }));
  else session.push({ ...item, entries });
  markSample();
  await drawRecent();
}

// ---- Dropped and chosen files ----------------------------------------------------------------

/** Reads a dropped file or folder: [path, File] each. */
export async function filesOfEntry(item, path = "") {
  if (item.isFile) {
    const file = await new Promise((resolve, reject) => item.file(resolve, reject));
    return [[path + item.name, file]];
  }
  const reader = item.createReader();
  const found = [];
  for (let batch; (batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))).length > 0; )
    for (const child of batch) found.push(...(await filesOfEntry(child, `${path}${item.name}/`)));
  return found;
}

async function filesOf(handle, path = handle.name) {
  if (handle.kind === "file") return [[path, await handle.getFile()]];
  const found = [];
  for await (const child of handle.values()) found.push(...(await filesOf(child, `${path}/${child.name}`)));
  return found;
}

const filesOfAll = async (handles) => (await Promise.all(handles.map((one) => filesOf(one)))).flat();

// Opens an item of recent().
async function reopen(item) {
  if (item.href) {
    if (location.hash === item.href) location.hash = "";
    location.hash = item.href;
    return;
  }
  if (item.entries) return openFiles(item.entries, { handles: item.handles });
  try {
    for (const handle of item.handles)
      if ((await handle.requestPermission?.({ mode: "read" })) === "denied") throw new Error();
    await openFiles(await filesOfAll(item.handles), { handles: item.handles });
  } catch {
    showMessage(T.recentGone(item.name));
    await removeSame(item);
    await drawRecent();
  }
}

/** Opens files that the user gave. Skins alone are for the current model, and a picture in HDR is its light. */
export async function receive(entries, handles = []) {
  if (state.model && entries.length === 1 && /\.hdr$/i.test(entries[0][0]))
    return (await import("./light.js")).lightBy(entries);
  const skins = state.model && entries.length > 0 && entries.every(([path]) => SKIN.test(path));
  await (skins ? (await import("./skins.js")).addSkins(entries) : openFiles(entries, { handles }));
}

/** Lets the user choose files, or a folder, and opens them. */
export async function pick(kind) {
  const choose = kind === "file" ? globalThis.showOpenFilePicker : globalThis.showDirectoryPicker;
  if (!choose) return $(`${kind}-input`).click();
  try {
    const handles = [await choose(kind === "file" ? { multiple: true } : {})].flat();
    await receive(await filesOfAll(handles), handles);
  } catch (error) {
    if (error.code !== DOMException.ABORT_ERR) showError(error);
  }
}

// ---- Help: keys, links and the language --------------------------------------------------------

// Remembers another language, or puts it into the address if that is impossible, and loads the page again.
function changeLanguage(other) {
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  try {
    localStorage.setItem(LANGUAGE_KEY, other);
  } catch {
    address.searchParams.set("lang", other);
  }
  history.replaceState(null, "", address);
  location.reload();
}

function fillHelp() {
  const languages = Object.keys(LANGUAGES).map((code) => new Option(T.languages[code], code, false, code === language));
  const list = makeElement("select", { id: "language", onchange: () => changeLanguage(list.value) }, languages);
  $("help-body").append(
    makeElement("p", {}, T.helpAbout),
    makeList(T.keys),
    makeNote(T.keysNeed),
    makeElement("label", {}, T.language, " ", list),
  );
  for (const link of document.querySelectorAll("[data-link]")) link.textContent = T.links[link.dataset.link];
}

export async function openHelp() {
  await loadStyle();
  const dialog = $("help");
  if (!$("language")) fillHelp();
  if (!dialog.open) dialog.showModal();
}
