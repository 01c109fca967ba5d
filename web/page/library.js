// The list of models: a grid of thumbnails. Only visible cells exist.
import { optionsOfBackdrop } from "../lib/show.js";
import { listenForArrows, makeElement, makeIcon, selectTab } from "./elements.js";
import { nameOf, partsOf, titleOfPath } from "./files.js";
import { STRINGS as T } from "./strings.js";

const MIN_WIDTH = 116; // of a cell, in CSS pixels
const LINE = 20; // below its image
const IMAGE = 132;
const MAX_THUMBNAILS = 600; // of 58 to 230 KB each

export const theme = matchMedia("(prefers-color-scheme: dark)");
/** Returns the options of a backdrop; null: that of the theme. */
export const backdropOf = (name) => optionsOfBackdrop(name ?? (theme.matches ? "dark" : "light"));

export class Library {
  #models = []; // all, players first
  #playerFiles = []; // other files of players
  #shown = []; // those that match the search
  #cells = new Map(); // entry: element
  #thumbnails = new Map(); // entry: a promise of its pixels
  #selected = null;
  #size = { columns: 1, width: MIN_WIDTH, height: MIN_WIDTH };

  constructor(element, worker, open) {
    this.element = element;
    this.worker = worker;
    this.open = open;
    this.grid = element.querySelector("#grid");
    this.content = element.querySelector("#grid-content");
    this.search = element.querySelector("#search");
    this.places = element.querySelector("#places");
    for (const tab of this.places.children) tab.addEventListener("click", () => this.#go(tab));
    listenForArrows(this.places);
    this.search.addEventListener("input", () => this.#filter());
    this.grid.addEventListener("scroll", () => this.#draw());
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#draw()).observe(this.grid);
  }

  // Opens the start page or the list of models.
  #go(place) {
    selectTab(this.places, place);
    for (const tab of this.places.children)
      this.element.querySelector(`#${tab.getAttribute("aria-controls")}`).hidden = tab !== place;
  }

  /** Shows the models of Files.models(), each player once, and returns them. If there are several, the list opens. */
  fill(listed) {
    const readable = listed.filter((one) => !one.problem);
    this.#playerFiles = readable
      .filter((one) => one.ofPlayer && !one.player)
      .map((one) => ({ ...one, title: titleOf(one) }));
    this.#models = nameFolders(
      readable.filter((one) => !one.ofPlayer || one.player).map((one) => ({ ...one, title: titleOf(one) })),
    );
    this.#models.sort(
      (a, b) => Number(Boolean(b.player)) - Number(Boolean(a.player)) || a.title.localeCompare(b.title),
    );
    this.search.value = "";
    this.places.hidden = this.#models.length < 2;
    this.#go(this.places.children[this.places.hidden ? 0 : 1]);
    this.redraw();
    this.#filter();
    return this.#models;
  }

  /** Draws all thumbnails again. */
  redraw() {
    for (const cell of this.#cells.values()) cell.remove();
    this.#cells.clear();
    this.#thumbnails.clear();
    this.#draw();
  }

  get models() {
    return this.#models;
  }

  /** Returns the models of a weapon that its scene lacks, such as the flash, each with the `tag` that holds it. */
  piecesOf({ player }, model) {
    const isOf = ({ path, tag }) =>
      tag &&
      path.toLowerCase().startsWith(player.toLowerCase()) &&
      nameOf(player).toLowerCase() ===
        tag
          .split(":")[0]
          .replace(/_hand$/i, "")
          .toLowerCase();
    return player
      ? this.#playerFiles.filter((one) => isOf(one) && !model.parts.some(({ path }) => path === one.path))
      : [];
  }

  /** Returns the weapons in an MD2 player's folder; they share the player's frames. */
  weaponsOf(player) {
    const folder = player.path.replace(/[^/:]*$/, "");
    return this.#playerFiles.filter(
      (one) => one.path.startsWith(folder) && /^w(eapon|_)[^/]*\.md2$/i.test(one.path.slice(folder.length)),
    );
  }

  select(entry) {
    this.#selected = this.#models.find((one) => one.path === entry.path) ?? null;
    this.#draw();
  }

  /** Opens the model that is `by` models after the current one in the list. */
  move(by) {
    this.#moveTo(this.#shown.indexOf(this.#selected) + by);
  }

  #moveTo(index) {
    const next = this.#shown[Math.min(Math.max(index, 0), this.#shown.length - 1)];
    if (!next || next === this.#selected) return;
    this.#selected = next;
    this.#scrollTo(this.#shown.indexOf(next));
    this.#draw();
    this.open(next);
  }

  #key(event) {
    const { columns, height } = this.#size;
    const page = columns * Math.max(Math.floor(this.grid.clientHeight / height), 1);
    const at = this.#shown.indexOf(this.#selected);
    const to = {
      ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns,
      PageDown: at + page, PageUp: at - page, Home: 0, End: this.#shown.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#moveTo(to);
  }

  #filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.#shown = this.#models.filter((one) => words.every((word) => one.path.toLowerCase().includes(word)));
    this.element.querySelector("#count").textContent = T.count(this.#shown.length, this.#models.length);
    this.grid.scrollTop = 0;
    this.#draw();
  }

  // Measures the columns, and the cells that fill them.
  #measure() {
    const columns = Math.max(Math.floor(this.grid.clientWidth / MIN_WIDTH), 1);
    const width = Math.max(this.grid.clientWidth / columns, MIN_WIDTH);
    return (this.#size = {
      columns,
      width,
      height: width + (this.#models.some((one) => one.folder) ? 2 : 1) * LINE + 6,
    });
  }

  #scrollTo(index) {
    const { columns, height } = this.#size;
    const top = Math.floor(index / columns) * height;
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    else if (top + height > this.grid.scrollTop + this.grid.clientHeight)
      this.grid.scrollTop = top + height - this.grid.clientHeight;
  }

  #draw() {
    if (this.grid.clientWidth === 0) return; // hidden
    const { columns, height } = this.#measure();
    this.content.style.height = `${Math.ceil(this.#shown.length / columns) * height}px`;
    const first = Math.floor(this.grid.scrollTop / height) * columns;
    const last = Math.ceil((this.grid.scrollTop + this.grid.clientHeight) / height) * columns;
    const visible = new Set(this.#shown.slice(first, last));
    for (const [entry, cell] of this.#cells)
      if (!visible.has(entry)) {
        cell.remove();
        this.#cells.delete(entry);
        this.#thumbnails.get(entry)?.stop?.(); // unless the worker has started it
      }
    this.#shown.slice(first, last).forEach((entry, i) => this.#positionCell(entry, first + i));
    const selected = this.#cells.get(this.#selected);
    if (selected) this.grid.setAttribute("aria-activedescendant", selected.id);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  #positionCell(entry, index) {
    const { columns, width, height } = this.#size;
    if (!this.#cells.has(entry)) this.#cells.set(entry, this.#makeCell(entry));
    const cell = this.#cells.get(entry);
    Object.assign(cell.style, { width: `${width}px`, height: `${height}px` });
    cell.style.transform = `translate(${(index % columns) * width}px, ${Math.floor(index / columns) * height}px)`;
    cell.setAttribute("aria-selected", entry === this.#selected);
    cell.setAttribute("aria-posinset", index + 1);
    cell.setAttribute("aria-setsize", this.#shown.length);
    cell.id = `cell-${index}`;
  }

  #makeCell(entry) {
    const canvas = makeElement("canvas");
    const cell = makeElement("div", { className: "cell", role: "option", title: entry.path },
      canvas, makeElement("span", {}, entry.title), entry.folder && makeElement("small", {}, entry.folder));
    cell.onclick = () => {
      this.#selected = entry;
      this.#draw();
      void this.open(entry).then(scrollToStage); // whose toolbar has its size then
    };
    this.content.append(cell);
    void this.#drawThumbnail(entry, canvas);
    return cell;
  }

  /** Requests a thumbnail. Returns the promise of WorkerClient.request(). */
  thumbnail(entry) {
    const size = IMAGE * Math.min(Math.ceil(devicePixelRatio), 2);
    return this.worker.request("thumbnail", { path: entry.player ?? entry.path, size, theme: backdropOf(null) });
  }

  async #drawThumbnail(entry, canvas) {
    if (!this.#thumbnails.has(entry)) {
      if (this.#thumbnails.size >= MAX_THUMBNAILS) this.#thumbnails.delete(this.#thumbnails.keys().next().value);
      this.#thumbnails.set(entry, this.thumbnail(entry));
    }
    try {
      const pixels = await this.#thumbnails.get(entry);
      if (!pixels) { // it was cancelled
        this.#thumbnails.delete(entry);
        return canvas.isConnected && this.#drawThumbnail(entry, canvas);
      }
      canvas.width = canvas.height = Math.sqrt(pixels.length / 4);
      canvas.getContext("2d").putImageData(new ImageData(pixels, canvas.width), 0, 0);
    } catch {
      canvas.replaceWith(makeIcon("warning"));
    }
  }
}

/** Scrolls to the model, if it is above the list, as on phones. */
export function scrollToStage() {
  document
    .getElementById("view")
    .scrollIntoView({
      block: "nearest",
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
    });
}

// A player has the name of its folder, if it is in one.
const titleOf = ({ player, path }) => nameOf(player ?? "") ?? titleOfPath(path);

// If several models have the same title, adds to each model the shortest end of its folder that tells it from others.
function nameFolders(models) {
  const groups = {};
  for (const one of models) (groups[`=${one.title}`] ??= []).push(one);
  const all = Object.values(groups);
  if (all.length === models.length) return models;
  for (const same of all) {
    const folders = same.map((one) => partsOf(one.player ?? one.path).slice(0, -1));
    const endsOf = (length) => folders.map((parts) => parts.slice(-length).join("/"));
    const longest = Math.max(...folders.map((parts) => parts.length));
    let length = 1;
    while (length < longest && new Set(endsOf(length)).size < same.length) length++;
    endsOf(length).forEach((folder, i) => (same[i].folder = folder));
  }
  return models;
}
