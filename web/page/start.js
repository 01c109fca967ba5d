// The start page: the place to drop files, samples, recent files, and the formats.
import { nameOf, openFiles, showError, state } from "./app.js";
import { makeElement } from "./elements.js";
import { makeIcon } from "./icons.js";
import { scrollToStage } from "./library.js";
import { loadStyle } from "./panels.js";
import { forget, pick, recent, reopen } from "./recent.js";
import { readPacked } from "./sample.js";
import { STRINGS as T } from "./strings_later.js";

const start = document.getElementById("start");

function dropCard() {
  const button = makeElement("button", undefined, { className: "drop-card", onclick: () => pick("file").catch(showError) });
  button.append(makeIcon("drop"), makeElement("span", T.dropHere), makeElement("small", T.dropOr));
  return button;
}

async function openSample(files, button) {
  unmark();
  button.setAttribute("aria-current", true);
  scrollToStage();
  await openFiles(await Promise.all(files.map((name) => readPacked(`samples/${name}`, name))), { handles: null });
}

function sampleCard({ name, files }) {
  const format = files.map((path) => /\.(m\w\w)$/.exec(path)?.[1]).find(Boolean);
  const button = makeElement("button", undefined, { className: "sample" });
  const image = makeElement("img", undefined, { src: `samples/${name.replaceAll("/", "-")}.webp`, alt: "", width: 120, height: 120, loading: "lazy" });
  button.append(image, makeElement("span", nameOf(name)), makeElement("small", (format ?? nameOf(files[0])).toUpperCase()));
  button.onclick = () => openSample(files, button).catch(showError);
  return button;
}

function recentItem(item) {
  const button = makeElement("button", undefined, { className: "recent" });
  button.append(makeIcon({ folder: "folder", link: "link" }[item.kind] ?? "file"), makeElement("span", item.name));
  button.onclick = () => reopen(item).catch(showError);
  return button;
}

/** Marks no sample as the open one. */
export function unmark() {
  for (const card of start.querySelectorAll(".sample")) card.removeAttribute("aria-current");
}

/** Fills the list of recent files. */
export async function drawRecent() {
  const items = await recent();
  const box = start.querySelector("#recent");
  if (!box) return; // drawStart() has not finished
  box.hidden = items.length === 0;
  const clear = makeElement("button", T.forget, { className: "plain", onclick: () => forget().then(drawRecent) });
  const heading = makeElement("h2", T.recent);
  heading.append(clear);
  box.replaceChildren(heading, ...items.map(recentItem));
}

function formatList() {
  const list = makeElement("dl", undefined, { className: "formats" });
  for (const [name, text] of T.openable) list.append(makeElement("dt", name), makeElement("dd", text));
  return list;
}

export async function drawStart() {
  const [samples] = await Promise.all([fetch("samples/list.json").then((answer) => answer.json()).catch(() => []), loadStyle()]);
  const gallery = makeElement("div", undefined, { className: "samples" });
  gallery.append(...samples.map(sampleCard));
  start.replaceChildren(dropCard(), makeElement("h2", T.samples), gallery, makeElement("section", undefined, { id: "recent" }), makeElement("h2", T.opens), formatList());
  if (state.entries[0]?.[0] === "tick.md2") gallery.firstChild?.setAttribute("aria-current", true);
  await drawRecent();
}
