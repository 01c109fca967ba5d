// <lerpmesh-view src="tris.md2" clip="run" autoplay></lerpmesh-view>: a model in any page. view.d.ts is the
// manual.

import { fetchBytes } from "./fetch.js";
import { Files, open } from "./index.js";
import { Show } from "./show.js";
import { openWithTextures } from "./textures.js";

const STYLE = `
:host { display: block; position: relative; aspect-ratio: 4 / 3; contain: content; }
:host([hidden]) { display: none; }
canvas, img { position: absolute; inset: 0; width: 100%; height: 100%; }
canvas { outline-offset: -2px; }
img { object-fit: contain; }
img[hidden], p[hidden] { display: none; }
p { position: absolute; inset: auto 0 0; margin: 0; padding: 0.6em 0.8em; font: 0.9em/1.4 system-ui, sans-serif;
  color: #fff; background: rgb(0 0 0 / 0.7); }
`;
const RENDER_ATTRIBUTES = ["shade", "background"];
const ARCHIVE = /^([^?#]*\.(?:pk3|pak|zip)):(.+)$/i;

/** Parses "30 15 2": azimuth and elevation in degrees, zoom factor. */
function readCamera(text) {
  const [azimuth, elevation, zoom = 1] = (text ?? "").trim().split(/[\s,]+/).map(Number);
  return { azimuth: Number.isFinite(azimuth) ? azimuth : 30, elevation: Number.isFinite(elevation) ? elevation : 15, zoom: zoom > 0 ? zoom : 1 };
}

async function openWithSkin(url, skin) {
  if (!skin) return openWithTextures(url);
  const address = new URL(skin, url);
  const name = address.pathname.split("/").pop();
  return open(url, { files: [[name, address]], skins: [name] });
}

async function openFrom(src, skin, base) {
  const archive = ARCHIVE.exec(src);
  if (!archive) return openWithSkin(new URL(src, base), skin);
  const files = await Files.from([["archive.pk3", await fetchBytes(new URL(archive[1], base))]]);
  try {
    return await files.open(`archive.pk3:${archive[2]}`, { related: true, skins: skin ? [skin] : [] });
  } finally {
    files.dispose();
  }
}

export class LerpmeshView extends (globalThis.HTMLElement ?? class {}) { // servers have no elements
  static observedAttributes = ["src", "clip", "skin", "camera", "autoplay", "speed", "poster", "alt", ...RENDER_ATTRIBUTES];
  #show = null;
  #model = null;
  #canvas = null; // exists while the element is in a document
  #poster = document.createElement("img");
  #message = document.createElement("p");
  #observer = new IntersectionObserver((entries) => this.#setNear(entries.at(-1).isIntersecting), { rootMargin: "200px" });
  #near = false;
  #playWhenNear = false;
  #pending = null; // a model to show once the element is in a document
  #loads = 0; // number of the latest load

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet(); // strict content security policies forbid inline styles
    style.replaceSync(STYLE);
    root.adoptedStyleSheets = [style];
    this.#poster.alt = "";
    this.#poster.hidden = true;
    this.#message.hidden = true;
    this.#message.setAttribute("role", "status");
    root.append(this.#poster, this.#message);
  }

  #makeCanvas() {
    const canvas = document.createElement("canvas");
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.part = "canvas";
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
    if (clip !== undefined) this.clip = clip;
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
    this.#canvas.remove();
    this.#canvas = null;
  }

  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "poster") this.#setPoster();
    else if (name === "alt") this.#setLabel();
    else if (name === "src" || name === "skin") void (this.#near && this.load());
    else if (this.#model) this.#apply(name);
  }

  #setPoster() {
    const poster = this.getAttribute("poster");
    if (poster) this.#poster.src = poster;
    this.#poster.hidden = !poster || Boolean(this.#model);
  }

  #setLabel() {
    const clip = this.#model?.clip ? `, ${this.#model.clip.name}` : "";
    this.#canvas?.setAttribute("aria-label", this.getAttribute("alt") ?? (this.#model ? `${this.#model.name}${clip}` : "a model"));
  }

  // Loads and plays only near the viewport.
  #setNear(near) {
    const first = near && !this.#model && !this.#near;
    this.#near = near;
    if (first) void this.load(this.#pending);
    else if (this.#model) this.#play(this.#playWhenNear);
  }

  #close() {
    this.#loads++;
    this.#show?.stage?.remove(this.#model);
    if (this.#show) this.#show.model = null;
    this.#model?.dispose();
    this.#model = null;
  }

  #setBusy(busy) {
    this.#canvas?.setAttribute("aria-busy", busy);
  }

  /** Opens `src`, or shows a model, which the element then owns. Before it is in a document, waits until it is visible. */
  async load(model) {
    if (model !== this.#pending) this.#pending?.dispose();
    this.#pending = this.#canvas ? null : model;
    if (!this.#canvas) return;
    const src = this.getAttribute("src");
    this.#close();
    const load = this.#loads;
    this.#message.hidden = true;
    this.#setPoster();
    this.#setBusy(Boolean(model || src));
    if (!model && !src) return;
    try {
      model ??= await openFrom(src, this.getAttribute("skin"), this.baseURI);
      if (load !== this.#loads || !this.#canvas) return model.dispose();
      this.#model = model;
      this.#show ??= this.#makeShow();
      await this.#startShow();
      if (load !== this.#loads) return;
      this.#poster.hidden = true;
      this.#setBusy(false);
      this.#setLabel();
      this.dispatchEvent(new Event("load"));
    } catch (error) {
      if (load === this.#loads) this.#fail(error);
    }
  }

  #makeShow() {
    const show = new Show(this.#canvas);
    show.addEventListener("error", (event) => this.#fail(event.detail));
    for (const name of ["frame", "change"]) show.addEventListener(name, () => this.dispatchEvent(new Event(name)));
    show.addEventListener("change", () => (this.#playWhenNear = this.#near ? show.playing : this.#playWhenNear));
    return show;
  }

  async #startShow() {
    const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const clip = this.getAttribute("clip");
    const known = clip && this.#model.hasClip(clip);
    this.#setRenderOptions();
    await this.#show.show(this.#model, {
      clip: known ? clip : this.#model.restClip,
    });
    this.#play(this.hasAttribute("autoplay") && !reducedMotion);
    this.#apply("speed");
    this.#apply("camera");
    if (clip && !known) this.#showMessage(`There is no clip "${clip}". The clips are ${this.#model.clips.map((one) => one.name).join(", ")}.`);
  }

  #setRenderOptions() {
    const background = this.getAttribute("background") ?? "studio";
    this.#show.set({
      shade: this.getAttribute("shade") ?? "studio",
      backdrop: background !== "none",
      shadow: background !== "none",
      dark: background === "dark",
    });
  }

  #apply(name) {
    if (!this.#show || !this.#model) return;
    try {
      if (name === "clip") this.#show.play(this.getAttribute("clip") || this.#model.restClip);
      else if (name === "speed") this.#model.playback = { speed: Number(this.getAttribute("speed")) || 1 };
      else if (name === "autoplay") this.#play(this.hasAttribute("autoplay"));
      else if (name === "camera") {
        const { zoom, ...angles } = readCamera(this.getAttribute("camera"));
        this.#show.camera = angles;
        this.#show.aim();
        if (zoom !== 1) this.#show.zoom(zoom);
      } else this.#setRenderOptions();
    } catch (error) {
      this.#fail(error);
    }
  }

  #showMessage(text) {
    this.#message.textContent = text;
    this.#message.hidden = false;
  }

  #fail(error) {
    this.#setBusy(false);
    this.#showMessage(error.message);
    this.dispatchEvent(new CustomEvent("error", { detail: error }));
  }
}

Object.defineProperty(LerpmeshView.prototype, "autoplay", {
  get() {
    return this.hasAttribute("autoplay");
  },
  set(value) {
    this.toggleAttribute("autoplay", Boolean(value));
  },
  enumerable: true,
});
for (const name of ["src", "clip", "skin", "camera", "poster", "speed", "alt", ...RENDER_ATTRIBUTES])
  Object.defineProperty(LerpmeshView.prototype, name, {
    get() {
      return this.getAttribute(name);
    },
    set(value) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, value);
    },
    enumerable: true,
  });

if (globalThis.customElements && !customElements.get("lerpmesh-view")) customElements.define("lerpmesh-view", LerpmeshView);
