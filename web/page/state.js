// What all parts of the page share: the open files and the model, the open tab, messages, the worker, and the view.
import { Playback } from "../lib/controls.js";
import { PackagedModule } from "../lib/engine.js";
import { LerpmeshError } from "../lib/errors.js";
import { Show } from "../lib/show.js";
import { makeElement, makeIconButton, makeSelect } from "./elements.js";
import { IMPORTED, nameOf } from "./files.js";
import { STRINGS as T } from "./strings.js";

PackagedModule.scripts = true;

export const $ = (id) => document.getElementById(id);
/** The overlays with their keys. */
export const TOGGLES = {
  edges: "E",
  grid: "G",
  axes: "X",
  tags: "T",
  box: "O",
  vertexNormals: "N",
  glCommands: "C",
  shadow: null,
};

export const state = {
  entries: [], // the open files: [path, Blob, bytes or Remote] each
  files: null, // a Files of `entries`
  entry: null, // the current entry of the library: { path, player, title }
  model: null,
  skin: null, // the chosen one: an option of Files.open, or its number in the model's own list, from 1
  own: [], // the user's images and .skin files for this model: { path, title, surfaces: those that it covers }
  attached: [], // attached models: { tag, path, title }
  pace: { speed: 1, mode: "clip", interpolate: true }, // what the user chose for all models
  environment: null, // the light: a name, the URL of an image, or a File; null: lamps
  backdrop: null, // its name; null: that of the theme
  repair: false, // shows the intact parts of a damaged model
  tab: "model",
  imported: null, // messages of the import, if the model is a glTF
  bytes: null, // the bytes shown in the tab "file": { path, offset, size, lump }
  source: null, // where it came from: { href, skin: the skin's URL }, or { sample: its name in the gallery }
};

/** "opened": files were opened (detail); "tab": another tab is to be shown, or `detail` is true: the same one again. */
export const events = new EventTarget();

/** Opens a tab. `redraw`: draws it again even if it is open. */
export function openTab(name, redraw = false) {
  state.tab = name;
  events.dispatchEvent(new CustomEvent("tab", { detail: redraw }));
}

/** Returns the format of the file that was opened. */
export const formatOf = () => IMPORTED.exec(state.entry.path)?.[1] ?? state.model.format;

export function titleOf() {
  return state.entry?.title ?? (state.entry ? nameOf(state.entry.path) : (state.model?.name ?? ""));
}

/** Returns whether nothing moves: all parts have one frame. */
export const isStill = (model) => model.parts.every(({ frames }) => frames === 1);

let lastOpening = 0; // each opening has a number
export const startOpening = () => ++lastOpening;
export const isLatest = (opening) => opening === lastOpening;
export const hasOpened = () => lastOpening > 0;

// ---- Messages below the model, and the title above it ----------------------------------------

/**
 * Shows a message below the model; null: none. `details`: the library's message, or a list of them. `action`: a button,
 * { label, act }.
 */
export function showMessage(text, { details = null, action = null } = {}) {
  const lines = [details ?? []].flat().map((line) => makeElement("p", {}, line));
  showReading(null);
  $("message").hidden = !text;
  $("message").replaceChildren(...[
    makeElement("span", {}, text),
    action && makeElement("button", { onclick: action.act }, action.label),
    makeIconButton("close", T.dismiss, () => showMessage(null)),
    lines.length > 0 && makeElement("details", {}, makeElement("summary", {}, T.details), lines),
  ].filter(Boolean));
}

export function showError(error) {
  showMessage(error.message, error);
  if (!(error instanceof LerpmeshError)) console.error(error);
}

/** Shows in the header that a file is read; null: the title of the model again. */
export function showReading(name) {
  const { model } = state;
  const triangles = model?.parts.flatMap((part) => part.surfaces).reduce((sum, one) => sum + one.triangles, 0);
  const texts =
    name === null
      ? [titleOf(), model ? T.summary(formatOf(), triangles, model.parts[0].frames) : ""]
      : [T.reading(name)];
  document.body.classList.toggle("busy", name !== null);
  if ($("title").textContent !== texts.join(""))
    $("title").replaceChildren(...texts.map((text, i) => makeElement(i ? "span" : "strong", {}, text)));
}

// ---- The worker ------------------------------------------------------------------------------

/** Requests to a worker of its own, about the files `entries`. */
export class WorkerClient {
  #worker = null; // started by start() or the first request, so that it does not delay the first frame
  #sent = null; // the entries that the worker has
  #pending = new Map(); // of requests
  #lastId = 0;

  start() {
    if (this.#worker) return;
    this.#sent = null;
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data: { id, value, error, stopped, progress } }) => {
      const { resolve, reject, onProgress } = this.#pending.get(id);
      if (progress !== undefined) return onProgress?.(progress);
      this.#pending.delete(id);
      if (error) reject(error.code ? new LerpmeshError(error) : new Error(error.message));
      else resolve(stopped ? undefined : value);
    };
    this.#worker.onerror = (event) => this.#end(({ reject }) => reject(new Error(event.message ?? T.workerFailed)));
  }

  // The next request starts another worker.
  #end(answer) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const request of this.#pending.values()) answer(request);
    this.#pending.clear();
  }

  /** True while requests are unanswered. */
  get busy() {
    return this.#pending.size > 0;
  }

  /** Ends the worker. Its unanswered requests return undefined. */
  terminate() {
    this.#end(({ resolve }) => resolve());
  }

  /**
   * Sends a request about `entries`, whose files travel directly before it if the worker has others: no other request
   * comes between. Returns a promise of the answer, whose `stop()` cancels the request unless it has started.
   */
  request(call, args = {}, { entries = state.entries, onProgress = null } = {}) {
    this.start();
    if (this.#sent !== entries) {
      const sources = entries.map(([path, source]) => [
        path,
        source.url ? { url: source.url, size: source.size } : source,
      ]);
      this.#worker.postMessage({ call: "files", entries: sources });
      this.#sent = entries;
    }
    const id = ++this.#lastId;
    const promise = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject, onProgress }));
    promise.stop = () => this.#worker?.postMessage({ call: "stop", of: id });
    this.#worker.postMessage({ id, call, ...args });
    return promise;
  }
}

export const worker = new WorkerClient();

// ---- The view --------------------------------------------------------------------------------

export const show = new Show($("canvas"), { allowNoGraphics: true });
show.yields = () => worker.busy;

/** Changes the speed, the mode or the interpolation, also of the models that are opened later. */
export const setPace = (pace) => (show.playback = Object.assign(state.pace, pace));

const makeButton = (name, ...rest) => Object.assign(makeIconButton(name, ...rest), { id: name });

function makeField(name, text, caption) {
  const made = makeSelect(text, [], caption ? { caption } : { icon: name });
  if (name !== "clip") made.select.id = name;
  return made;
}

export const playback = new Playback(T, { makeButton, makeField, setPace });
