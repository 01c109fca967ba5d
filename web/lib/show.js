// An interactive view of a model on a canvas: playback, camera, and redrawing after changes. The web
// component and the page use it. It has no buttons.

import { LerpmeshError } from "./module.js";
import { SHADES, Stage } from "./stage.js";

export { SHADES };

const DEGREES_PER_PIXEL = 0.5;
const ZOOM_PER_NOTCH = 1.1;
const SHARE = 8; // while it yields, the time from draw to draw, in multiples of the drawing time
const VIEWS = { front: [0, 0], side: [90, 0], top: [0, 90], iso: [30, 15] };

/** Events: "frame" (new pose), "change" (anything else), "lost", "restored", "error" (detail). */
export class Show extends EventTarget {
  model = null;
  #stage = null;
  #beginning = null;
  #canvas;
  #asked = 0; // the pending requestAnimationFrame, or 0
  #last = 0; // time of the last draw while playing, else 0
  #begun = 0; // time of the last draw
  #took = 0; // its duration in milliseconds; 0 if it was done by the next animation frame
  yields = () => false; // true: others draw too and get most of the time
  #aimed = true; // the user has not zoomed or panned: aims again if the canvas changes its shape
  #observer;
  #pointers = new Map();
  #ended = new AbortController();
  #kept = null; // the camera while the context is lost
  look = { shade: "studio", backdrop: true, shadow: true };
  #drawless;
  blind = null; // the error if nothing can be drawn

  /** `drawless`: if the browser cannot draw, sets `blind` instead of throwing; everything else works. */
  constructor(canvas, { drawless = false } = {}) {
    super();
    this.#canvas = canvas;
    this.#drawless = drawless;
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas);
    this.#listen();
  }

  get canvas() {
    return this.#canvas;
  }
  get stage() {
    return this.#stage;
  }
  // The stage if it can be drawn on, else null.
  get #live() {
    return this.#stage?.lost || this.#stage?.dead ? null : this.#stage;
  }

  /** Shows a model, which the caller still owns; null: none. */
  async show(model, { clip = model?.rest ?? null, playing = false, keepCamera = false } = {}) {
    const before = this.model;
    if (this.#stage?.dead) this.#stage = keepCamera = null;
    if (!this.#stage && !this.blind) await this.begin();
    if (this.#ended.signal.aborted) return this.#stage?.dispose();
    if (before && before !== model) this.#stage?.remove(before);
    this.model = model;
    if (model) {
      model.play(clip);
      model.playing = playing;
      this.#resize();
      if (!keepCamera) this.aim();
    }
    this.#changed();
  }

  /** Creates the stage; show() does this too. May be called before there is a model. */
  begin() {
    return (this.#beginning ??= this.#begin().finally(() => (this.#beginning = null)));
  }

  async #begin() {
    this.#measure(); // resizing later would reallocate the context's buffers
    try {
      this.#stage = await Stage.on(this.#canvas);
    } catch (error) {
      if (!this.#drawless || error.code !== "graphics") throw error;
      this.blind = error;
    }
  }

  /** Fits the camera to all frames of the clip. */
  aim() {
    if (!this.model || !this.#live) return;
    const { model } = this;
    const { position, playing } = model;
    this.#stage.aimClip(model);
    model.position = position;
    model.playing = playing;
    this.#aimed = true;
    this.draw();
  }

  set(look) {
    this.look = { ...this.look, ...look };
    this.#changed();
  }

  play(clip) {
    const { playing } = this.model;
    this.model.play(clip);
    this.model.playing = playing;
    if (this.#aimed) this.aim();
    this.#changed();
  }

  get playing() {
    return Boolean(this.model?.playing);
  }
  set playing(playing) {
    if (!this.model) return;
    this.model.playing = playing;
    this.#last = 0;
    this.#changed();
  }

  seek(position) {
    this.model.position = position;
    this.#moved();
  }
  step(frames) {
    this.model.step(frames);
    this.#changed();
  }
  get how() {
    return this.model.how;
  }
  set how(how) {
    this.model.how = how;
    this.#changed();
  }

  turn(azimuth, elevation) {
    this.#live?.turn(azimuth, elevation);
    this.#changed();
  }
  zoom(factor) {
    this.#live?.zoom(factor);
    this.#aimed = false;
    this.#changed();
  }
  pan(dx, dy) {
    const ratio = this.#canvas.width / Math.max(this.#canvas.clientWidth, 1);
    this.#live?.pan(dx * ratio, dy * ratio);
    this.#aimed = false;
    this.#changed();
  }
  view(name) {
    const [azimuth, elevation] = VIEWS[name];
    this.camera = { azimuth, elevation };
    this.aim();
  }
  get camera() {
    return this.#live?.camera;
  }
  set camera(camera) {
    if (!this.#live) return;
    this.#stage.camera = camera;
    if (["x", "y", "z", "distance"].some((key) => key in camera)) this.#aimed = false;
    this.#changed();
  }

  /** Takes a screenshot: a Blob (PNG). */
  async picture(type = "image/png") {
    if (!this.#live) throw this.blind ?? new LerpmeshError({ code: "graphics", message: "nothing can be drawn now" });
    this.#paint();
    return new Promise((resolve) => this.#canvas.toBlob(resolve, type));
  }

  dispose() {
    this.#ended.abort();
    cancelAnimationFrame(this.#asked);
    this.#observer.disconnect();
    this.#stage?.dispose();
  }

  // ---- Drawing -------------------------------------------------------------------------------

  /** Draws in the next animation frame. */
  draw() {
    if (!this.#asked && !this.#ended.signal.aborted) this.#asked = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now) {
    this.#asked = 0;
    const { model } = this;
    if (!model || !this.#live) return;
    if (model.playing && this.yields() && this.#mustWait(now)) return this.draw();
    try {
      const elapsed = this.#last ? Math.min((now - this.#last) / 1000, 0.25) : 0;
      const was = model.playing;
      if (was && model.advance(elapsed)) this.dispatchEvent(new Event("frame"));
      this.#last = model.playing ? now : 0;
      this.#begun = now;
      this.#took = 0;
      this.#paint();
      if (model.playing) this.draw();
      else if (was) this.dispatchEvent(new Event("change")); // playback has ended
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) {
    this.dispatchEvent(new CustomEvent("error", { detail: error }));
  }

  #mustWait(now) {
    if (this.#stage.drawing) this.#took = now - this.#begun;
    return this.#stage.drawing || now < this.#begun + SHARE * this.#took;
  }

  #paint() {
    if (this.model && this.#canvas.width > 0) this.#stage.draw(this.model, { ...this.look, seconds: this.model.seconds });
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
    this.draw();
  }

  #moved() {
    this.dispatchEvent(new Event("frame"));
    this.draw();
  }

  /** Updates the canvas' size. Returns true if it changed. */
  #measure() {
    const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
    const wanted = { width: this.#canvas.clientWidth, height: this.#canvas.clientHeight };
    let changed = false;
    for (const [side, points] of Object.entries(wanted)) {
      const size = Math.max(Math.round(points * ratio), 1);
      if (this.#canvas[side] === size) continue;
      this.#canvas[side] = size;
      changed = true;
    }
    return changed;
  }

  #resize() {
    if (!this.#measure()) return;
    if (this.#aimed) this.aim();
    if (this.#live) this.#paint(); // resizing cleared it
  }

  // ---- Mouse, touch, wheel, context loss -----------------------------------------------------

  #listen() {
    const canvas = this.#canvas;
    const { signal } = this.#ended;
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
    on("dblclick", () => this.aim());
    on("webglcontextlost", (event) => {
      event.preventDefault();
      this.#kept = this.camera;
      this.#stage?.lose();
      this.#stage?.dispose();
      this.dispatchEvent(new Event("lost"));
    });
    on("webglcontextrestored", () => this.#restore().catch((error) => this.#fail(error)));
  }

  async #restore() {
    const stage = await Stage.on(this.#canvas);
    if (this.#ended.signal.aborted) return stage.dispose();
    this.#stage = stage;
    this.#stage.camera = this.#kept ?? {};
    if (this.#aimed) this.aim();
    this.draw();
    this.dispatchEvent(new Event("restored"));
  }

  #drag(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before[0];
    const dy = event.clientY - before[1];
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
    this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (others.length > 0) {
      const [x, y] = others[0][1];
      const distance = (px, py) => Math.hypot(px - x, py - y) || 1;
      this.zoom(distance(event.clientX, event.clientY) / distance(...before));
      this.pan(dx / 2, dy / 2);
    } else if (event.buttons === 1 && !event.shiftKey) {
      this.turn(-dx * DEGREES_PER_PIXEL, dy * DEGREES_PER_PIXEL);
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
    this.set({ [name]: !this.look[name] });
  }

  nextClip(by = 1) {
    const { clips, clip } = this.model;
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
  b: (show) => (show.how = { backwards: !show.how.backwards }),
  i: (show) => (show.how = { interpolate: !show.how.interpolate }),
  "[": (show) => (show.how = { speed: show.how.speed * 0.8 }),
  "]": (show) => (show.how = { speed: show.how.speed * 1.25 }),
  e: (show) => show.toggle("edges"),
  g: (show) => show.toggle("grid"),
  x: (show) => show.toggle("axes"),
  t: (show) => show.toggle("tags"),
  o: (show) => show.toggle("box"),
  n: (show) => show.toggle("vertexNormals"),
  c: (show) => show.toggle("glCommands"),
  s: (show) => show.set({ shade: SHADES[(SHADES.indexOf(show.look.shade) + 1) % SHADES.length] }),
  1: (show) => show.view("front"),
  3: (show) => show.view("side"),
  7: (show) => show.view("top"),
  9: (show) => show.view("iso"),
  Enter: (show) => show.aim(),
  "+": (show) => show.zoom(1.25),
  "=": (show) => show.zoom(1.25),
  "-": (show) => show.zoom(0.8),
  "Shift+ArrowLeft": (show) => show.turn(-15, 0),
  "Shift+ArrowRight": (show) => show.turn(15, 0),
  "Shift+ArrowUp": (show) => show.turn(0, 15),
  "Shift+ArrowDown": (show) => show.turn(0, -15),
};
