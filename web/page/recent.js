// File dialogs, and the files, folders and links that were opened last. Browsers with the File System Access API keep
// handles of files in IndexedDB; without it, files are listed until the page is closed.
import { openFiles, receive, nameOf, showError, showMessage } from "./app.js";
import { STRINGS as T } from "./strings_later.js";

const MOST = 8;
const session = []; // those that cannot be stored

/** Runs a request of the database's store: `ask` gets the store. */
async function request(mode, ask) {
  const opening = indexedDB.open("lerpmesh", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("recent", { keyPath: "time" });
  const resultOf = (one) => new Promise((resolve, reject) => Object.assign(one, { onsuccess: () => resolve(one.result), onerror: () => reject(one.error) }));
  const database = await resultOf(opening);
  try {
    return await resultOf(ask(database.transaction("recent", mode).objectStore("recent")));
  } finally {
    database.close();
  }
}

/** Returns the last items, newest first: { time, name, kind, handles, href, entries }. */
export async function recent() {
  const stored = await request("readonly", (store) => store.getAll()).catch(() => []);
  return [...stored, ...session].sort((a, b) => b.time - a.time).slice(0, MOST);
}

export async function forget() {
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
  const item = { time: Date.now(), name: entries.length > 1 && kind === "file" ? T.andMore(name, entries.length - 1) : name, kind, handles, href };
  await removeSame(item);
  for (const one of (await recent()).slice(MOST - 1)) await remove(one);
  if (href || handles.length) await request("readwrite", (store) => store.put(item)).catch(() => session.push({ ...item, entries }));
  else session.push({ ...item, entries });
  const { drawRecent, unmark } = await import("./start.js");
  unmark();
  await drawRecent();
}

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

/** Opens an item of recent(). */
export async function reopen(item) {
  if (item.href) {
    if (location.hash === item.href) location.hash = "";
    location.hash = item.href;
    return;
  }
  if (item.entries) return openFiles(item.entries, { handles: item.handles });
  try {
    for (const handle of item.handles) if ((await handle.requestPermission?.({ mode: "read" })) === "denied") throw new Error();
    await openFiles(await filesOfAll(item.handles), { handles: item.handles });
  } catch {
    showMessage(T.recentGone(item.name));
    await removeSame(item);
    await (await import("./start.js")).drawRecent();
  }
}

/** Lets the user choose files, or a folder, and opens them. */
export async function pick(kind) {
  const choose = kind === "file" ? globalThis.showOpenFilePicker : globalThis.showDirectoryPicker;
  if (!choose) return document.getElementById(`${kind}-input`).click();
  try {
    const handles = [await choose(kind === "file" ? { multiple: true } : {})].flat();
    await receive(await filesOfAll(handles), handles);
  } catch (error) {
    if (error.code !== DOMException.ABORT_ERR) showError(error);
  }
}
