import type { Model, RgbaImage } from "./index.js";

export interface Camera {
  x: number;
  y: number;
  z: number;
  /** Degrees; 0: the model's front, 90: its left side. */
  azimuth: number;
  elevation: number;
  distance: number;
  fieldOfView: number;
  radius: number;
}

export type Shade = "studio" | "texture" | "normals" | "wire" | "uv" | "engine";
export const SHADES: readonly Shade[];

/** Render options. */
export interface RenderOptions {
  shade?: Shade;
  box?: boolean;
  grid?: boolean;
  axes?: boolean;
  tags?: boolean;
  shadow?: boolean;
  /** Draws the normal of each vertex as a line. */
  vertexNormals?: boolean;
  /** Draws an MD2's strips and fans, each in its own colour. */
  glCommands?: boolean;
  edges?: boolean;
  twoSided?: boolean;
  /** Draws from the eye of the player, as games show weapons: from the origin along x, 90 degrees wide. */
  eye?: boolean;
  /** Draws a backdrop: grey, or one of the two below. */
  backdrop?: boolean;
  dark?: boolean;
  light?: boolean;
  /** A factor for the light of the shade "studio", before tone mapping; from 0. Default: 1. */
  exposure?: number;
  /** The result of `loadEnvironment()` ("lerpmesh/environment"): replaces the studio's lights. */
  environment?: Float32Array | null;
  /** The time for the animation of shader scripts. */
  seconds?: number;
}

/** A canvas on which the renderer of the command and the viewer draws models. */
export class Stage {
  static on(canvas: HTMLCanvasElement | OffscreenCanvas): Promise<Stage>;
  readonly driver: string;
  get camera(): Camera;
  set camera(camera: Partial<Camera>);
  /** Aims the camera at the model in its current pose. */
  aim(model: Model, options?: { aspect?: number }): void;
  /** Aims the camera at all frames of the current clip. */
  aimClip(model: Model, options?: { aspect?: number }): void;
  /** Rotates the camera by degrees. */
  rotate(azimuth: number, elevation: number): void;
  /** Zooms; 2: twice as large. */
  zoom(factor: number): void;
  /** Pans by pixels of the canvas. */
  pan(dx: number, dy: number): void;
  draw(model: Model, options?: RenderOptions): void;
  /** True while the driver works on the last draw(). */
  readonly drawing: boolean;
  /** Reads the canvas back, right after a draw() with a backdrop. Unlike screenshot(), does not block. */
  read(): Promise<RgbaImage>;
  /** Draws a screenshot of any size. */
  screenshot(model: Model, width: number, height: number, options?: RenderOptions, samples?: number): RgbaImage;
  /** Frees the model's memory on the driver. Call it before the model's dispose(). */
  remove(model: Model): void;
  /** Call it on "webglcontextlost". Then dispose of the stage, and create another once the context is restored. */
  handleContextLoss(): void;
  /** True if the WebGL context is lost. */
  readonly lost: boolean;
  /**
   * The bug in lerpmesh that ended the stage's instance (code "trap"). Create a new stage and open the models again.
   */
  readonly dead: Error | null;
  dispose(): void;
}
