import type { Model } from "./index.js";

/**
 * `<lerpmesh-view src="tris.md2" clip="run" autoplay></lerpmesh-view>`: a model in any page.
 *
 * It loads when it comes near the viewport and plays while it is visible; for users who prefer reduced
 * motion, it starts paused. Removing it from the document frees its memory. Mouse and touch rotate it.
 * While it has the focus, it responds to f3d's keys (space, w, comma, period, shift and arrows, and others).
 *
 * Events: "load"; "error" (CustomEvent, `detail` is the LerpmeshError, whose message is also shown);
 * "frame": a new pose; "change": playback, camera or render options changed. None of them bubbles.
 * CSS: a block of aspect ratio 4 / 3 by default; `::part(canvas)`.
 */
export class LerpmeshView extends HTMLElement {
  /** The model's URL; in an archive, "pak0.pk3:models/players/sarge". Finds textures in the same folder. */
  src: string | null;
  /** The name of the clip to play. Default: the model's rest clip. */
  clip: string | null;
  /** An image's URL relative to the model's; in an archive, the name of a skin. */
  skin: string | null;
  /** "AZIMUTH ELEVATION [ZOOM]" in degrees: "30 15 1.5". */
  camera: string | null;
  /** Plays as soon as the model is loaded. */
  autoplay: boolean;
  /** A factor for the clip's rate. */
  speed: string | null;
  /** An image to show until the model is loaded. */
  poster: string | null;
  /** Alternative text. Default: the names of model and clip. */
  alt: string | null;
  /** "studio" (default), "texture", "normals", "wire", "uv", "engine". */
  shade: string | null;
  /** "studio" (default), "dark", "none" (transparent). */
  background: string | null;
  /** The open model, or null. The element owns it and disposes of it. */
  readonly model: Model | null;
  readonly playing: boolean;
  /** Resumes playback, or starts a clip. */
  play(clip?: string): void;
  pause(): void;
  /**
   * Opens `src` again, or shows a model, which the element then owns. Before the element is in a document, this waits
   * until it comes near the viewport.
   */
  load(model?: Model): Promise<void>;
}
declare global {
  interface HTMLElementTagNameMap {
    "lerpmesh-view": LerpmeshView;
  }
}
