import type { LerpmeshError, Model } from "./index.js";

/** The events of `<lerpmesh-view>`. None of them bubbles. */
export interface LerpmeshViewEventMap {
  /** Loading has begun. */
  loading: Event;
  /** More bytes of the model, its skin or its attachments have arrived. `total` is 0 if the server did not send it. */
  progress: CustomEvent<{ loaded: number; total: number }>;
  /** The model is on show. */
  load: Event;
  /** The model cannot be loaded or drawn. The element shows the slot "fallback", by default with the message. */
  error: CustomEvent<LerpmeshError>;
  /**
   * A skin, an attachment, a clip or an environment is missing, or an attribute has a wrong value. The model stays on
   * show, with a note.
   */
  warning: CustomEvent<LerpmeshError>;
  /** A new pose. */
  frame: Event;
  /** Playback, camera or render options have changed. */
  change: Event;
}

interface ViewEventMap extends Omit<HTMLElementEventMap, keyof LerpmeshViewEventMap>, LerpmeshViewEventMap {}

/**
 * `<lerpmesh-view src="tris.md2" clip="run" autoplay controls></lerpmesh-view>`: a model in any page.
 *
 * It loads when it comes near the viewport and plays while it is visible; for users who prefer reduced
 * motion, it starts paused. Removing it from the document frees its memory. Mouse and touch rotate it.
 * While it has the focus, it responds to f3d's keys (space, w, comma, period, shift and arrows, and others).
 * Relative URLs in attributes are relative to the page.
 *
 * Slot: "fallback", shown instead of the model if it cannot be loaded or drawn.
 *
 * CSS: a block of aspect ratio 4 / 3 by default. Parts: `canvas`, `controls` (the bar), `button` (also `back`, `play`,
 * `next`, `interpolate`, `more` or `dismiss`), `scrubber`, `frame`, `fields`, `panel`, `field`, `caption`, `select`
 * (also `clip`, `skin`, `speed` or `mode`), `note`, `fallback`, `message`. Variables:
 * `--lerpmesh-controls-background`, `--lerpmesh-controls-color`, `--lerpmesh-controls-accent`; by default, the bar has
 * the system's colours and follows `color-scheme`.
 */
export class LerpmeshView extends HTMLElement {
  /**
   * The model's URL; in an archive, "pak0.pk3:models/players/sarge", where % is %25. Finds textures in the same
   * folder.
   */
  src: string | null;
  /** The name of the clip to play; empty: all frames. Default: the model's rest clip. */
  clip: string | null;
  /** The frame of the clip to start at, from 0. */
  get frame(): string | null;
  set frame(frame: string | number | null);
  /**
   * The URL of an image or a .skin file; if `src` is in an archive, the name of a skin. "#2": the second skin of the
   * model's own list.
   */
  skin: string | null;
  /**
   * Models to attach to tags, separated by spaces: "tag_weapon=gun.md3". The URL of a model, or, if `src` is in an
   * archive, its path there. A space in a path or a tag is %20, and % is %25. Without a tag, the model shows the frames
   * of the first one: "weapon.md2". In an archive, it then replaces that of an MD2's folder.
   */
  attach: string | null;
  /** "AZIMUTH ELEVATION [ZOOM]" in degrees: "30 15 1.5". "eye": the eye of the player, as games show weapons. */
  camera: string | null;
  /** Plays as soon as the model is loaded. */
  autoplay: boolean;
  /**
   * Shows a bar below the model: play, steps of one frame, scrubber, clip, skin, speed, what happens at the end of the
   * clip, and interpolation.
   */
  controls: boolean;
  /** A factor for the clip's rate. */
  get speed(): string | null;
  set speed(factor: string | number | null);
  /** What happens at the end of a clip: "clip" (default; as in the file), "loop", "once", "ping-pong". */
  mode: string | null;
  /** An image to show until the model is loaded. */
  poster: string | null;
  /** Alternative text. Default: the names of model and clip. */
  alt: string | null;
  /** "studio" (default), "texture", "normals", "wire", "uv", "engine". */
  shade: string | null;
  /** "studio" (default), "light", "dark", "none" (transparent). */
  background: string | null;
  /**
   * The light of the shade "studio", instead of its lamps: "neutral", "day", "sunset", "night", or the URL of an
   * equirectangular image, also .hdr. It is ambient light with one key light, without reflections.
   */
  environment: string | null;
  /** A factor for the light of the shade "studio", before tone mapping. Default: 1. */
  get exposure(): string | null;
  set exposure(factor: string | number | null);
  /** The texts of the control bar. Assign to its properties to translate them, before elements are created. */
  static readonly texts: {
    controls: string;
    play: string;
    pause: string;
    previousFrame: string;
    nextFrame: string;
    position: string;
    frameOf(frame: number, count: number): string;
    /** In the bar: "7 / 12". */
    frameShort(frame: number, count: number): string;
    settings: string;
    clip: string;
    clipOf(part: string): string;
    /** The names of parts, by the names of their files: "lower" is the legs. */
    parts: Record<string, string>;
    allFrames: string;
    skin: string;
    speed: string;
    speedOf(factor: number): string;
    mode: string;
    modes: Record<"clip" | "loop" | "once" | "ping-pong", string>;
    interpolate: string;
    dismiss: string;
    model: string;
    /** A wrong value of another attribute, and what it takes. */
    noValue(attribute: string, value: string, expected: string): string;
    frameValue: string;
    factorValue: string;
    cameraValue: string;
    noClip(name: string, names: string[]): string;
  };
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
  addEventListener<K extends keyof ViewEventMap>(
    type: K,
    listener: (this: LerpmeshView, event: ViewEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof ViewEventMap>(
    type: K,
    listener: (this: LerpmeshView, event: ViewEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}
declare global {
  interface HTMLElementTagNameMap {
    "lerpmesh-view": LerpmeshView;
  }
}
