// An interactive view of a model on a canvas: playback, camera, and redrawing after changes. The web
// component and the page use it. It has no buttons.

import { LerpmeshError } from "./errors.js";
import { SHADES, Stage } from "./stage.js";

export { SHADES };

const DEGREES_PER_PIXEL = 0.5;
const ZOOM_PER_NOTCH = 1.1;
const YIELD_FACTOR = 8; // while it yields, the time from draw to draw, in multiples of the drawing time
const VIEWS = { front: [0, 0], side: [90, 0], top: [0, 90], iso: [30, 15] };

export const BACKDROPS = ["studio", "light", "dark", "none"];
/** Returns the options of a backdrop. */
export const optionsOfBackdrop = (name) => ({
  backdrop: name !== "none",
  dark: name === "dark",
  light: name === "light",
});

/** Events: "frame" (new pose), "change" (anything else), "lost", "restored", "error" (detail). */
export class Show extends EventTarget {
  #model = null;
  #next = null; // the model to show once there is a stage
  #stage = null;
  #starting = null; // a promise
  #canvas;
  #request = 0; // the pending requestAnimationFrame, or 0
  #last = 0; // time of the last draw while playing, else 0
  #drawStart = 0; // time of the last draw
  #drawTime = 0; // its duration in milliseconds; 0 if it was done by the next animation frame
  yields = () => false; // true: another task draws too and gets most of the time
  #fitted = true; // the user has not zoomed or panned: fits the model again if the canvas changes its shape
  #observer;
  #pointers = new Map();
  #disposed = new AbortController();
  #savedCamera = null; // while the context is lost
  options = { shade: "studio", backdrop: true, shadow: true };
  #allowNoGraphics;
  graphicsError = null; // if the browser cannot draw

  /** `allowNoGraphics`: if the browser cannot draw, sets `graphicsError` instead of throwing; all else works. */
  constructor(canvas, { allowNoGraphics = false } = {}) {
    super();
    this.#canvas = canvas;
    this.#allowNoGraphics = allowNoGraphics;
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas);
    this.#listen();
  }

  get model() {
    return this.#model;
  }
  set model(model) {
    this.#model = this.#next = model;
  }
  get canvas() {
    return this.#canvas;
  }
  get stage() {
    return this.#stage;
  }
  // The stage if it can draw, else null.
  get #usableStage() {
    return this.#stage?.lost || this.#stage?.dead ? null : this.#stage;
  }

  /** Shows a model, which the caller still owns; null: none. */
  async show(model, { clip = model?.restClip ?? null, playing = false, keepCamera = false } = {}) {
    this.#next = model;
    if (this.#stage?.dead) this.#stage = keepCamera = null;
    if (!this.#stage && !this.graphicsError) await this.begin();
    if (this.#disposed.signal.aborted) return;
    if (this.#next !== model) return; // meanwhile, another one was to be shown
    const before = this.model;
    if (before && before !== model) this.#stage?.remove(before);
    this.model = model;
    if (model) {
      model.play(clip);
      model.playing = playing;
      this.#resize();
      if (!keepCamera) {
        // Weapons begin with a hand.
        this.options = { ...this.options, eye: this.options.eye && model.parts[0].surfaces.length === 0 };
        this.aim();
      }
    }
    this.#changed();
  }

  /** Creates the stage; show() does this too. May be called before there is a model. */
  begin() {
    return (this.#starting ??= this.#start().finally(() => (this.#starting = null)));
  }

  async #start() {
    this.#measure(); // resizing later would reallocate the context's buffers
    try {
      await this.#makeStage();
    } catch (error) {
      if (!this.#allowNoGraphics || error.code !== "graphics") throw error;
      this.graphicsError = error;
    }
  }

  // Makes a stage, unless the context is lost: then a later event restores it.
  async #makeStage() {
    try {
      const stage = await Stage.on(this.#canvas);
      if (this.#disposed.signal.aborted || this.#usableStage) stage.dispose();
      else this.#stage = stage;
    } catch (error) {
      if (!this.#canvas.getContext("webgl2")?.isContextLost()) throw error;
    }
  }

  /** Fits the camera to all frames of the clip. */
  aim() {
    if (!this.model || !this.#usableStage) return;
    const { model } = this;
    const { position, playing } = model;
    this.#stage.aimClip(model);
    model.position = position;
    model.playing = playing;
    this.#fitted = true;
    this.draw();
  }

  /** The same for the user, who leaves the eye of the player by that, as by moving the camera. */
  fit() {
    this.set({ eye: false });
    this.aim();
  }

  set(options) {
    this.options = { ...this.options, ...options };
    this.#changed();
  }

  // Changes the model, if there is one.
  #change(act) {
    if (!this.model) return;
    act(this.model);
    this.#changed();
  }

  play(clip) {
    this.#change((model) => {
      const { playing } = model;
      model.play(clip);
      model.playing = playing;
      if (this.#fitted) this.aim();
    });
  }

  get playing() {
    return Boolean(this.model?.playing);
  }
  set playing(playing) {
    this.#last = 0;
    this.#change((model) => (model.playing = playing));
  }

  seek(position) {
    if (!this.model) return;
    this.model.position = position;
    this.dispatchEvent(new Event("frame"));
    this.draw();
  }
  step(frames) {
    this.#change((model) => model.step(frames));
  }
  get playback() {
    return this.model?.playback ?? {};
  }
  set playback(playback) {
    this.#change((model) => (model.playback = playback));
  }

  rotate(azimuth, elevation) {
    this.#usableStage?.rotate(azimuth, elevation);
    this.set({ eye: false });
  }
  zoom(factor) {
    this.#usableStage?.zoom(factor);
    this.#fitted = false;
    this.set({ eye: false });
  }
  pan(dx, dy) {
    const ratio = this.#canvas.width / Math.max(this.#canvas.clientWidth, 1);
    this.#usableStage?.pan(dx * ratio, dy * ratio);
    this.#fitted = false;
    this.set({ eye: false });
  }
  view(name) {
    if (name === "eye") return this.set({ eye: true });
    const [azimuth, elevation] = VIEWS[name];
    this.camera = { azimuth, elevation };
    this.aim();
  }
  get camera() {
    return this.#usableStage?.camera;
  }
  set camera(camera) {
    if (!this.#usableStage) return;
    this.#stage.camera = camera;
    if (["x", "y", "z", "distance"].some((key) => key in camera)) this.#fitted = false;
    this.set({ eye: false });
  }

  /** Takes a screenshot: a Blob (PNG). */
  async screenshot(type = "image/png") {
    if (!this.#usableStage)
      throw (
        this.graphicsError ??
        new LerpmeshError({ code: "graphics", message: "cannot draw: the graphics context is lost" })
      );
    this.#paint();
    return new Promise((resolve) => this.#canvas.toBlob(resolve, type));
  }

  dispose() {
    this.#disposed.abort();
    cancelAnimationFrame(this.#request);
    this.#observer.disconnect();
    this.#stage?.dispose();
  }

  // ---- Drawing -------------------------------------------------------------------------------

  /** Draws in the next animation frame. */
  draw() {
    if (!this.#request && !this.#disposed.signal.aborted)
      this.#request = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now) {
    this.#request = 0;
    const { model } = this;
    if (!model || !this.#usableStage) return;
    if (model.playing && this.yields() && this.#mustWait(now)) return this.draw();
    try {
      const elapsed = this.#last ? Math.min((now - this.#last) / 1000, 0.25) : 0;
      const wasPlaying = model.playing;
      if (wasPlaying && model.advance(elapsed)) this.dispatchEvent(new Event("frame"));
      this.#last = model.playing ? now : 0;
      this.#drawStart = now;
      this.#drawTime = 0;
      this.#paint();
      if (model.playing) this.draw();
      else if (wasPlaying) this.dispatchEvent(new Event("change")); // playback has ended
    } catch (error) {
      if (!this.#stage?.lost) this.#fail(error);
    }
  }

  #fail(error) {
    this.dispatchEvent(new CustomEvent("error", { detail: error }));
  }

  #mustWait(now) {
    if (this.#stage.drawing) this.#drawTime = now - this.#drawStart;
    return this.#stage.drawing || now < this.#drawStart + YIELD_FACTOR * this.#drawTime;
  }

  #paint() {
    if (this.model && this.#canvas.width > 0)
      this.#stage.draw(this.model, { ...this.options, seconds: this.model.seconds });
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
    this.draw();
  }

  /** Updates the canvas' size. Returns true if it changed. */
  #measure() {
    const canvas = this.#canvas;
    const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((points) =>
      Math.max(Math.round(points * ratio), 1),
    );
    if (canvas.width === width && canvas.height === height) return false;
    Object.assign(canvas, { width, height });
    return true;
  }

  #resize() {
    if (!this.#measure()) return;
    if (this.#fitted) this.aim();
    if (this.#usableStage) this.#paint(); // resizing cleared it
  }

  // ---- Mouse, touch, wheel, context loss -----------------------------------------------------

  #listen() {
    const canvas = this.#canvas;
    const { signal } = this.#disposed;
    const on = (name, listener) => canvas.addEventListener(name, listener, { passive: false, signal });
    canvas.style.touchAction = "none";
    on("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    on("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) on(name, (event) => this.#pointers.delete(event.pointerId));
    on("wheel", (event) => {
      event.preventDefault();
      this.zoom(ZOOM_PER_NOTCH ** (-event.deltaY / (event.deltaMode ? 3 : 100)));
    });
    on("contextmenu", (event) => event.preventDefault());
    on("dblclick", () => this.fit());
    on("webglcontextlost", (event) => {
      event.preventDefault();
      if (this.#stage && !this.#stage.dead) this.#savedCamera = this.#stage.camera;
      this.#stage?.handleContextLoss();
      this.#stage?.dispose();
      this.#stage = null;
      this.dispatchEvent(new Event("lost"));
    });
    on("webglcontextrestored", () => this.#restore().catch((error) => this.#fail(error)));
  }

  async #restore() {
    await this.#makeStage();
    if (this.#disposed.signal.aborted || !this.#usableStage) return;
    this.#stage.camera = this.#savedCamera ?? {};
    if (this.#fitted) this.aim();
    this.draw();
    this.dispatchEvent(new Event("restored"));
  }

  #drag(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
    this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (others.length > 0) {
      const [x, y] = others[0][1];
      const distance = (px, py) => Math.hypot(px - x, py - y) || 1;
      this.zoom(distance(event.clientX, event.clientY) / distance(...before));
      this.pan(dx / 2, dy / 2);
    } else if (event.buttons === 1 && !event.shiftKey) {
      this.rotate(-dx * DEGREES_PER_PIXEL, dy * DEGREES_PER_PIXEL);
    } else {
      this.pan(dx, dy);
    }
  }

  /** Handles a key (f3d's keys). Returns true if it did anything. */
  key(event) {
    if (!this.model || event.ctrlKey || event.metaKey || event.altKey) return false;
    const shift = event.shiftKey ? "Shift+" : "";
    const action = KEYS[shift + event.key] ?? KEYS[event.key];
    if (!action) return false;
    action(this);
    event.preventDefault();
    return true;
  }

  toggle(name) {
    this.set({ [name]: !this.options[name] });
  }

  nextClip(by = 1) {
    const { clips = [], clip } = this.model ?? {};
    if (clips.length === 0) return;
    const names = [...new Set(clips.map((one) => one.name))];
    const at = names.indexOf(clip?.name);
    this.play(names[(at + by + names.length) % names.length]);
  }
}

export const KEYS = {
  " ": (show) => (show.playing = !show.playing),
  w: (show) => show.nextClip(),
  "Shift+W": (show) => show.nextClip(-1),
  ",": (show) => show.step(-1),
  ".": (show) => show.step(1),
  b: (show) => (show.playback = { backwards: !show.playback.backwards }),
  i: (show) => (show.playback = { interpolate: !show.playback.interpolate }),
  "[": (show) => (show.playback = { speed: show.playback.speed * 0.8 }),
  "]": (show) => (show.playback = { speed: show.playback.speed * 1.25 }),
  e: (show) => show.toggle("edges"),
  g: (show) => show.toggle("grid"),
  x: (show) => show.toggle("axes"),
  t: (show) => show.toggle("tags"),
  o: (show) => show.toggle("box"),
  n: (show) => show.toggle("vertexNormals"),
  c: (show) => show.toggle("glCommands"),
  s: (show) => show.set({ shade: SHADES[(SHADES.indexOf(show.options.shade) + 1) % SHADES.length] }),
  1: (show) => show.view("front"),
  3: (show) => show.view("side"),
  7: (show) => show.view("top"),
  9: (show) => show.view("iso"),
  0: (show) => show.view("eye"),
  Enter: (show) => show.fit(),
  "+": (show) => show.zoom(1.25),
  "=": (show) => show.zoom(1.25),
  "-": (show) => show.zoom(0.8),
  "Shift+ArrowLeft": (show) => show.rotate(-15, 0),
  "Shift+ArrowRight": (show) => show.rotate(15, 0),
  "Shift+ArrowUp": (show) => show.rotate(0, 15),
  "Shift+ArrowDown": (show) => show.rotate(0, -15),
};
