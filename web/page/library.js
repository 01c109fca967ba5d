// The list of models: a grid of thumbnails. Only visible cells exist.
import { makeElement } from "./elements.js";
import { STRINGS as T } from "./strings.js";

const [WIDTH, HEIGHT] = [136, 160]; // of a cell
const IMAGE = 120; // CSS pixels
const MAX_THUMBNAILS = 600; // of 58 to 230 KB each

export class Library {
  #models = []; // all, players first
  #playerFiles = []; // other files of players
  #shown = []; // those that match the search
  #cells = new Map(); // entry: element
  #thumbnails = new Map(); // entry: a promise of its pixels
  #selected = null;

  constructor(element, worker, open) {
    this.element = element;
    this.worker = worker;
    this.open = open;
    this.grid = element.querySelector("#grid");
    this.content = element.querySelector("#grid-content");
    this.search = element.querySelector("#search");
    this.search.addEventListener("input", () => this.#filter());
    this.grid.addEventListener("scroll", () => this.#draw());
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#draw()).observe(this.grid);
  }

  /** Shows the models of Files.models(), each player once, and returns them. */
  fill(listed) {
    const readable = listed.filter((one) => !one.problem);
    this.#playerFiles = readable.filter((one) => one.ofPlayer && !one.player).map((one) => ({ ...one, title: titleOf(one) }));
    this.#models = readable.filter((one) => !one.ofPlayer || one.player).map((one) => ({ ...one, title: titleOf(one) }));
    this.#models.sort((a, b) => Number(Boolean(b.player)) - Number(Boolean(a.player)) || a.title.localeCompare(b.title));
    for (const cell of this.#cells.values()) cell.remove();
    this.#cells.clear();
    this.#thumbnails.clear();
    this.search.value = "";
    this.element.hidden = this.#models.length < 2;
    this.#filter();
    return this.#models;
  }

  get models() {
    return this.#models;
  }

  /** Returns the weapons in an MD2 player's folder; they share the player's frames. */
  weaponsOf(player) {
    const folder = player.path.replace(/[^/:]*$/, "");
    return this.#playerFiles.filter((one) => one.path.startsWith(folder) && /^w(eapon|_)[^/]*\.md2$/i.test(one.path.slice(folder.length)));
  }

  select(entry) {
    this.#selected = this.#models.find((one) => one.path === entry.path) ?? null;
    this.#draw();
  }

  move(by) {
    const at = this.#shown.indexOf(this.#selected);
    const next = this.#shown[Math.min(Math.max(at + by, 0), this.#shown.length - 1)];
    if (!next || next === this.#selected) return;
    this.#selected = next;
    this.#scrollTo(this.#shown.indexOf(next));
    this.#draw();
    this.open(next);
  }

  #key(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.#columns, ArrowUp: -this.#columns };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.move(steps[event.key]);
  }

  #filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.#shown = this.#models.filter((one) => words.every((word) => one.path.toLowerCase().includes(word)));
    this.element.querySelector("#count").textContent = T.count(this.#shown.length, this.#models.length);
    this.grid.scrollTop = 0;
    this.#draw();
  }

  get #columns() {
    return Math.max(Math.floor(this.grid.clientWidth / WIDTH), 1);
  }

  #scrollTo(index) {
    const top = Math.floor(index / this.#columns) * HEIGHT;
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    else if (top + HEIGHT > this.grid.scrollTop + this.grid.clientHeight) this.grid.scrollTop = top + HEIGHT - this.grid.clientHeight;
  }

  #draw() {
    const columns = this.#columns;
    this.content.style.height = `${Math.ceil(this.#shown.length / columns) * HEIGHT}px`;
    const first = Math.floor(this.grid.scrollTop / HEIGHT) * columns;
    const last = Math.ceil((this.grid.scrollTop + this.grid.clientHeight) / HEIGHT) * columns;
    const visible = new Set(this.#shown.slice(first, last));
    for (const [entry, cell] of this.#cells)
      if (!visible.has(entry)) {
        cell.remove();
        this.#cells.delete(entry);
        this.#thumbnails.get(entry)?.stop?.(); // unless the worker has started it
      }
    this.#shown.slice(first, last).forEach((entry, i) => this.#positionCell(entry, first + i, columns));
  }

  #positionCell(entry, index, columns) {
    if (!this.#cells.has(entry)) this.#cells.set(entry, this.#makeCell(entry));
    const cell = this.#cells.get(entry);
    cell.style.transform = `translate(${(index % columns) * WIDTH}px, ${Math.floor(index / columns) * HEIGHT}px)`;
    cell.setAttribute("aria-selected", entry === this.#selected);
    cell.id = `cell-${index}`;
    if (entry === this.#selected) this.grid.setAttribute("aria-activedescendant", cell.id);
  }

  #makeCell(entry) {
    const cell = makeElement("div", undefined, { className: "cell", role: "option", title: entry.path });
    const canvas = makeElement("canvas");
    cell.append(canvas, makeElement("span", entry.title));
    cell.onclick = () => {
      this.#selected = entry;
      this.#draw();
      this.open(entry);
    };
    this.content.append(cell);
    void this.#drawThumbnail(entry, canvas);
    return cell;
  }

  /** Requests a thumbnail. Returns the promise of WorkerClient.request(). */
  thumbnail(entry) {
    const size = IMAGE * Math.min(Math.ceil(devicePixelRatio), 2);
    return this.worker.request("thumbnail", { path: entry.player ?? entry.path, size });
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
    } catch (error) {
      canvas.title = error.message;
    }
  }
}

function titleOf(entry) {
  const path = entry.player ?? entry.path;
  const name = path.split(/[/:]/).filter(Boolean).pop();
  return entry.player ? name : name.replace(/\.[^.]*$/, "");
}
