import type { Model } from "./index.js";

/**
 * `<lerpmesh-view src="tris.md2" clip="run" autoplay></lerpmesh-view>`: a model in any page.
 *
 * It loads when it comes near the screen and plays while it is there; where people prefer reduced motion
 * it begins still. Out of the document it frees all that it had. It is drawn, turned by mouse and fingers,
 * and played by f3d's keys (space, w, comma, point, arrows with shift, ...) once it has the focus.
 *
 * Events: "load"; "error" (CustomEvent, `detail` is the LerpmeshError; its sentence is shown, too);
 * "frame": another pose; "change": it was begun, stopped, turned, or is shown otherwise. None bubbles.
 * CSS: it is a block, 4 to 3 unless you give it another shape; `::part(canvas)`.
 */
export class LerpmeshView extends HTMLElement {
  /** Of a file; of one in an archive: "pak0.pk3:models/players/sarge". Pictures beside it are found. */
  src: string | null;
  /** The name of the clip to play. None: the model's first, or at rest. */
  clip: string | null;
  /** A picture's address, from the model's; in an archive the name of a skin. */
  skin: string | null;
  /** "AZIMUTH ELEVATION [ZOOM]" in degrees: "30 15 1.5". */
  camera: string | null;
  /** Plays as soon as it is there. */
  autoplay: boolean;
  /** 1: as fast as the clip says. */
  speed: string | null;
  /** A picture that is shown until the model is. */
  poster: string | null;
  /** What it shows, for those who do not see it. None: the names of model and clip. */
  alt: string | null;
  /** "studio" (none), "texture", "normals", "wire", "uv", "engine". */
  shade: string | null;
  /** "studio" (none), "dark", "none": what is behind the page. */
  background: string | null;
  /** What is open; null: nothing yet. It is the element's: it goes with it. */
  readonly model: Model | null;
  readonly playing: boolean;
  /** Goes on, or begins a clip. */
  play(clip?: string): void;
  pause(): void;
  /** Opens `src` again, or a model of yours, which is then this element's; before it is in a document, once it comes near the screen. */
  load(model?: Model): Promise<void>;
}
declare global {
  interface HTMLElementTagNameMap {
    "lerpmesh-view": LerpmeshView;
  }
}
