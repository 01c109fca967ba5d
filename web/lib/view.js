// <lerpmesh-view src="tris.md2" clip="run" autoplay></lerpmesh-view>: a model in any page. view.d.ts is the
// manual.

import { CONTROL_STYLE, Controls, TEXTS, makeButton, makeElement } from "./controls.js";
import { LerpmeshError } from "./errors.js";
import { MODES } from "./model.js";
import { BACKDROPS, optionsOfBackdrop, SHADES, Show } from "./show.js";
import { Source } from "./sources.js";

const STYLE = `
:host { display: block; position: relative; aspect-ratio: 4 / 3; contain: content; --bar-height: 0px; }
:host([controls]) { --bar-height: 45px; }
:host([hidden]) { display: none; }
canvas, img { position: absolute; inset: 0; width: 100%; height: calc(100% - var(--bar-height)); }
canvas { outline-offset: -2px; }
img { object-fit: contain; }
[hidden] { display: none !important; }
.fallback { position: absolute; inset: 0 0 var(--bar-height); pointer-events: none; z-index: 1; }
.fallback ::slotted(*), .note { pointer-events: auto; }
p, .note { margin: 0; padding: 0.6em 0.8em; font: 0.9em/1.4 system-ui, sans-serif; color: #fff;
  background: rgb(0 0 0 / 0.7); }
.fallback p { position: absolute; inset: auto 0 0; }
.notes { position: absolute; inset: 0 0 auto; z-index: 1; }
.note { display: flex; align-items: start; padding: 0; }
.note p { flex: 1; background: none; white-space: pre-line; overflow-wrap: anywhere; }
.note button { flex: none; width: 44px; height: 44px; border: 0; font-size: 1.4em; color: inherit; background: none;
  cursor: pointer; }
${CONTROL_STYLE}`;
const RENDER_ATTRIBUTES = ["shade", "background", "exposure"];

// Parses "30 15 2": azimuth and elevation in degrees, zoom factor.
function readCamera(text) {
  const [azimuth, elevation, zoom = 1, ...others] = text.split(/[\s,]+/).map(Number);
  if (text === "eye") return { ...CAMERA, eye: true };
  const valid = Number.isFinite(azimuth + elevation) && zoom > 0 && zoom < Infinity && others.length === 0;
  return valid ? { azimuth, elevation, zoom } : undefined;
}

const readNumber = (from) => (text) => (Number(text) >= from && Number(text) < Infinity ? Number(text) : undefined);
const chosenOf = (choices) => (text) => choices.find((one) => one === text);
const CAMERA = { azimuth: 30, elevation: 15, zoom: 1 };
// Attributes: their values if they are empty; functions that return the value of a text, or undefined; what they take.
const VALUES = {
  shade: ["studio", chosenOf(SHADES), SHADES.join(", ")],
  background: ["studio", chosenOf(BACKDROPS), BACKDROPS.join(", ")],
  exposure: [1, readNumber(0), "factorValue"],
  speed: [1, readNumber(Number.MIN_VALUE), "factorValue"],
  mode: ["clip", chosenOf(MODES), MODES.join(", ")],
  frame: [null, readNumber(0), "frameValue"],
  camera: [CAMERA, readCamera, "cameraValue"],
};

/** Returns what the attribute `skin` names: an address, or the options of open() for its second skin, "#2". */
function readSkin(text) {
  const [, number] = /^#(\d+)$/.exec(text ?? "") ?? [];
  return number ? { skin: null, choice: { listedSkin: Number(number) } } : { skin: text, choice: {} };
}

// Returns what of a model's view another one continues; null if its instance has ended.
function stateOf(model) {
  if (!model || model.engine.dead) return null;
  const { clip, position, playback } = model;
  return { clip, position, playback };
}

/** @type {typeof HTMLElement} */
const Base = /** @type {any} */ (globalThis).HTMLElement ?? class {}; // on a server

export class LerpmeshView extends Base {
  // servers have no elements
  static observedAttributes = [
    "src",
    "clip",
    "frame",
    "skin",
    "attach",
    "camera",
    "autoplay",
    "speed",
    "mode",
    "poster",
    "alt",
    "controls",
    "environment",
    ...RENDER_ATTRIBUTES,
  ];
  static texts = TEXTS;
  #show = null;
  #model = null;
  #source = null; // of the model, unless load() was given one
  #choice = null; // options of open() for the skin that was chosen in the control bar
  #canvas = null; // exists while the element is in a document
  #poster = makeElement("img", { alt: "", hidden: true });
  #message = makeElement("p", { part: "message" });
  #fallback = makeElement(
    "div",
    { className: "fallback", part: "fallback" },
    makeElement("slot", { name: "fallback" }, this.#message),
  );
  #note = makeElement(
    "div",
    { className: "note", part: "note" },
    makeElement("p"),
    makeButton("dismiss", TEXTS.dismiss, () => (this.#note.hidden = true)),
  );
  #controls = null;
  #light = null; // { source, loaded: a promise }: the environment
  #observer = new IntersectionObserver((entries) => this.#setNear(entries.at(-1).isIntersecting), {
    rootMargin: "200px",
  });
  #near = false;
  #playWhenNear = false;
  #pending = null; // a model to show once the element is in a document
  #loads = 0; // number of the latest load
  #due = null; // "src" or "skin": an attribute has changed since the latest load

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet(); // strict content security policies forbid inline styles
    style.replaceSync(STYLE);
    root.adoptedStyleSheets = [style];
    const notes = makeElement("div", { className: "notes" }, this.#note);
    notes.setAttribute("role", "status");
    this.#message.setAttribute("role", "alert");
    root.append(this.#poster, this.#fallback, notes);
    this.#hideMessages();
  }

  #makeCanvas() {
    const canvas = makeElement("canvas", { tabIndex: 0, part: "canvas" });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-busy", "true"); // until it shows something
    canvas.addEventListener("keydown", (event) => this.#show?.key(event));
    this.shadowRoot.prepend(canvas);
    return canvas;
  }

  get model() {
    return this.#model;
  }
  get show() {
    return this.#show;
  }
  get playing() {
    return Boolean(this.#show?.playing);
  }
  play(clip) {
    if (clip !== undefined && clip === this.clip && this.#model) this.#change("clip");
    else if (clip !== undefined) this.clip = clip;
    this.#play(true);
  }
  pause() {
    this.#play(false);
  }
  #play(playing) {
    this.#playWhenNear = playing;
    if (this.#show) this.#show.playing = playing && this.#near;
  }

  connectedCallback() {
    this.#canvas = this.#makeCanvas();
    this.#setControls();
    this.#setLabel();
    this.#setPoster();
    this.#observer.observe(this);
  }

  // Browsers allow about 16 contexts, so this frees the context at once.
  disconnectedCallback() {
    this.#observer.disconnect();
    this.#near = false;
    this.#close();
    if (this.#show) {
      this.#show.dispose();
      this.#canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
    }
    this.#show = null;
    this.#controls?.update(null);
    this.#canvas.remove();
    this.#canvas = null;
  }

  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "poster") this.#setPoster();
    else if (name === "alt") this.#setLabel();
    else if (name === "controls") this.#setControls();
    else if (name === "src" || name === "skin" || name === "attach") this.#request(name);
    else if (!this.#model) return;
    else if (name === "environment") void this.#relight();
    else this.#change(name);
  }

  #setPoster() {
    const poster = this.getAttribute("poster");
    if (poster) this.#poster.src = poster;
    this.#poster.hidden = !poster || Boolean(this.#model);
  }

  #setLabel() {
    const clip = this.#model?.clip ? `, ${this.#model.clip.name}` : "";
    this.#canvas?.setAttribute(
      "aria-label",
      this.getAttribute("alt") ?? (this.#model ? `${this.#model.name}${clip}` : TEXTS.model),
    );
  }

  #setControls() {
    if (this.hasAttribute("controls") && !this.#controls) {
      this.#controls = new Controls((index) => this.#chooseSkin(index));
      this.shadowRoot.append(this.#controls.element);
    }
    if (!this.#controls) return;
    this.#controls.element.hidden = !this.hasAttribute("controls");
    this.#updateControls();
  }

  #updateControls() {
    if (!this.hasAttribute("controls")) return;
    this.#controls?.update(this.#show, Boolean(this.#source));
  }

  #chooseSkin(index) {
    const { option, skin } = this.#model.skins[index];
    this.#choice = option === null ? { listedSkin: skin + 1 } : { skins: [option] };
    void this.#reload();
  }

  // ---- Loading -----------------------------------------------------------------------------------

  // Loads once for all attributes that a script changes together.
  #request(name) {
    if (name === "skin") this.#choice = null;
    if (!this.#due) queueMicrotask(() => this.#loadChanges());
    this.#due = name === "src" || this.#due === "src" ? "src" : "skin";
  }

  // Far from the viewport, the changes wait. A model given to load() keeps its skin and attachments.
  #loadChanges() {
    if (!this.#due || !this.#near) return;
    if (this.#due === "src" || !(this.#source || this.#model)) void this.load();
    else void this.#reload();
  }

  // Loads and plays only near the viewport.
  #setNear(near) {
    const first = near && !this.#model && !this.#near;
    this.#near = near;
    if (first) void this.load(this.#pending);
    else this.#loadChanges();
    if (this.#model) this.#play(this.#playWhenNear);
  }

  #close() {
    this.#loads++;
    this.#source?.dispose();
    this.#source = null;
    if (this.#model) this.#show?.stage?.remove(this.#model);
    if (this.#show) this.#show.model = null;
    this.#model?.dispose();
    this.#model = null;
  }

  #setBusy(busy) {
    this.#canvas?.setAttribute("aria-busy", busy);
  }

  async load(model) {
    if (model !== this.#pending) this.#pending?.dispose();
    this.#pending = this.#canvas ? null : model;
    if (!this.#canvas) return;
    const src = this.getAttribute("src");
    this.#due = null;
    this.#choice = null;
    this.#close();
    this.#hideMessages();
    this.#setPoster();
    this.#updateControls();
    this.#setBusy(Boolean(model || src));
    if (!model && !src) return;
    if (!model)
      this.#source = new Source(src, this.baseURI, (detail) =>
        this.dispatchEvent(new CustomEvent("progress", { detail })),
      );
    await this.#open(model);
  }

  // Opens the source again, with another skin or other attachments. The model stays on show until then.
  async #reload() {
    this.#due = null;
    if (!this.#source) return;
    this.#hideMessages();
    this.#setBusy(true);
    await this.#open();
  }

  async #open(given) {
    const load = ++this.#loads;
    const isStale = () => load !== this.#loads || !this.#canvas;
    const missing = [], unlit = [];
    this.dispatchEvent(new Event("loading"));
    try {
      const environment = this.#loadEnvironment(unlit);
      const { skin, choice } = readSkin(this.getAttribute("skin"));
      const wanted = { skin, attach: this.getAttribute("attach"), choice: this.#choice ?? choice };
      const model = given ?? (await this.#source.open(wanted, (error) => missing.push(error)));
      const light = await environment;
      missing.push(...unlit);
      if (isStale()) return model.dispose();
      if (!(await this.#replace(model, light, missing)) || isStale()) return;
      this.#poster.hidden = true;
      this.#setBusy(false);
      this.#setLabel();
      this.dispatchEvent(new Event("load"));
      for (const error of missing) this.#warn(error);
    } catch (error) {
      if (isStale()) return;
      if (this.#show?.model && !this.#show.model.engine.dead) this.#warn(error);
      else this.#fail(error);
    }
  }

  // Shows a model instead of the current one, which it continues. Returns false if it was closed meanwhile.
  async #replace(model, light, missing) {
    const before = this.#model;
    const state = stateOf(before);
    const playing = before
      ? this.#playWhenNear
      : this.hasAttribute("autoplay") && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#model = model;
    try {
      this.#show ??= this.#makeShow();
      this.#setRenderOptions(missing);
      this.#show.set({ environment: light });
      await this.#show.show(model, { clip: this.#firstClip(model, state, missing), keepCamera: Boolean(state) });
    } finally {
      if (before) this.#show?.stage?.remove(before);
      before?.dispose();
    }
    if (this.#model !== model) return false;
    if (state) {
      model.playback = state.playback;
      model.position = state.position;
    } else {
      for (const name of ["speed", "mode", "camera", "frame"]) this.#apply(name, missing);
    }
    this.#play(playing);
    return true;
  }

  // Returns the clip to start with: that of the replaced model, or the attribute's.
  #firstClip(model, state, missing) {
    if (state && (state.clip === null || model.hasClip(state.clip.name))) return state.clip?.name ?? null;
    const clip = this.#chosenClip(model);
    if (clip === null || model.hasClip(clip)) return clip;
    missing.push(
      new LerpmeshError({
        code: "bad-argument",
        message: TEXTS.noClip(
          clip,
          model.clips.map(({ name }) => name),
        ),
      }),
    );
    return model.restClip;
  }

  // Returns the clip of the attribute; null: all frames.
  #chosenClip(model) {
    const clip = this.getAttribute("clip");
    return clip === null ? model.restClip : clip || null;
  }

  #makeShow() {
    const show = new Show(this.#canvas);
    show.addEventListener("error", (/** @type {any} */ event) => this.#fail(event.detail));
    for (const name of ["frame", "change"]) show.addEventListener(name, () => this.dispatchEvent(new Event(name)));
    show.addEventListener("restored", () => (this.#fallback.hidden = this.#message.hidden = true));
    show.addEventListener("frame", () => this.hasAttribute("controls") && this.#controls?.updatePosition());
    show.addEventListener("change", () => {
      if (this.#near) this.#playWhenNear = show.playing;
      this.#updateControls();
    });
    return show;
  }

  // ---- Options -----------------------------------------------------------------------------------

  // Returns the value of an attribute. Adds an error to `missing` if it has a wrong one.
  #read(name, missing) {
    const text = this.getAttribute(name)?.trim();
    const [usual, read, expected] = VALUES[name];
    const value = text ? read(text) : usual;
    if (value !== undefined) return value;
    const message = TEXTS.noValue(name, text, TEXTS[expected] ?? expected);
    missing.push(new LerpmeshError({ code: "bad-argument", message }));
    return usual;
  }

  #setRenderOptions(missing) {
    const background = this.#read("background", missing);
    this.#show.set({
      shade: this.#read("shade", missing),
      ...optionsOfBackdrop(background),
      shadow: background !== "none",
      exposure: this.#read("exposure", missing),
    });
  }

  // Returns the light of the attribute `environment`, or null. Adds errors to `missing`.
  async #loadEnvironment(missing) {
    const source = this.getAttribute("environment") || null;
    if (source !== (this.#light?.source ?? null)) {
      const load = async () => (await import("./environment.js")).loadEnvironment(source, this.baseURI);
      this.#light = source && { source, loaded: load() };
    }
    const light = this.#light;
    try {
      return light && (await light.loaded);
    } catch (error) {
      if (this.#light === light) this.#light = null; // the next load tries again
      missing.push(error);
      return null;
    }
  }

  async #relight() {
    const source = this.getAttribute("environment");
    const missing = [];
    const environment = await this.#loadEnvironment(missing);
    if (!this.#show || source !== this.getAttribute("environment")) return;
    this.#show.set({ environment });
    for (const error of missing) this.#warn(error);
  }

  // Adds an error to `missing` if the attribute has a wrong value.
  #apply(name, missing) {
    if (!this.#show || !this.#model) return;
    const value = name in VALUES ? this.#read(name, missing) : null;
    if (name === "clip") this.#show.play(this.#chosenClip(this.#model));
    else if (name === "frame") value !== null && this.#show.seek(value);
    else if (name === "speed" || name === "mode") this.#show.playback = { [name]: value };
    else if (name === "autoplay") this.#play(this.hasAttribute("autoplay"));
    else if (name === "camera") {
      const { zoom, eye, ...angles } = value;
      this.#show.camera = angles;
      this.#show.aim();
      if (eye) this.#show.view("eye");
      else if (zoom !== 1) this.#show.zoom(zoom);
    } else this.#setRenderOptions([]);
  }

  // Applies an attribute that has changed.
  #change(name) {
    const missing = [];
    try {
      this.#apply(name, missing);
    } catch (error) {
      missing.push(error);
    }
    for (const error of missing) this.#warn(error);
  }

  // ---- Messages ----------------------------------------------------------------------------------

  #hideMessages() {
    this.#fallback.hidden = this.#message.hidden = this.#note.hidden = true;
  }

  // Shows a note over the model, in addition to those that are shown.
  #warn(error) {
    const [text] = this.#note.children;
    text.textContent = this.#note.hidden ? error.message : `${text.textContent}\n${error.message}`;
    this.#note.hidden = false;
    this.#setBusy(false);
    this.dispatchEvent(new CustomEvent("warning", { detail: error }));
  }

  #fail(error) {
    this.#setBusy(false);
    this.#message.textContent = error.message;
    this.#fallback.hidden = this.#message.hidden = false;
    this.dispatchEvent(new CustomEvent("error", { detail: error }));
  }
}

// Each attribute is a property, too.
for (const name of LerpmeshView.observedAttributes) {
  const flag = name === "autoplay" || name === "controls";
  Object.defineProperty(LerpmeshView.prototype, name, {
    get() {
      return flag ? this.hasAttribute(name) : this.getAttribute(name);
    },
    set(value) {
      if (flag) this.toggleAttribute(name, Boolean(value));
      else if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, value);
    },
    enumerable: true,
  });
}

if (globalThis.customElements && !customElements.get("lerpmesh-view"))
  customElements.define("lerpmesh-view", LerpmeshView);
