import type { Model } from "./index.js";

/**
 * `<lerpmesh-view>`. Attributes: src (an address; ARCHIVE.pk3:PATH for what is in one), clip, skin (a
 * picture's address; in an archive a skin's name), camera ("AZIMUTH ELEVATION [ZOOM]"), autoplay, speed,
 * poster, alt, shade, background ("studio", "dark", "none").
 * Events: load, error (detail: LerpmeshError), frame (another pose), change.
 * Loads when it comes into sight, plays while it is there; with prefers-reduced-motion it begins still.
 */
export class LerpmeshView extends HTMLElement {
  readonly model: Model | null;
  readonly playing: boolean;
  src: string | null;
  clip: string | null;
  skin: string | null;
  camera: string | null;
  poster: string | null;
  speed: string | null;
  shade: string | null;
  background: string | null;
  play(clip?: string): void;
  pause(): void;
  /** Opens `src` again, or a model of yours, which is then this element's. */
  load(model?: Model): Promise<void>;
}
declare global {
  interface HTMLElementTagNameMap {
    "lerpmesh-view": LerpmeshView;
  }
}
