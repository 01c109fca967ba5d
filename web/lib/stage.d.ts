import type { Model, Picture } from "./index.js";

export interface Camera {
  x: number;
  y: number;
  z: number;
  /** Degrees: 0 looks at the model's face, 90 at its left side. */
  azimuth: number;
  elevation: number;
  distance: number;
  fieldOfView: number;
  radius: number;
}

export interface Look {
  shade?: "studio" | "texture" | "normals" | "wire" | "uv" | "engine";
  box?: boolean;
  grid?: boolean;
  axes?: boolean;
  tags?: boolean;
  shadow?: boolean;
  /** A line a vertex. */
  vertexNormals?: boolean;
  /** The strips and fans of an MD2, each in a colour. */
  glCommands?: boolean;
  edges?: boolean;
  twoSided?: boolean;
  backdrop?: boolean;
  dark?: boolean;
  /** For what moves by itself, as shader scripts say. */
  seconds?: number;
}

/** A canvas that models are drawn on, by the renderer of the command and the viewer. */
export class Stage {
  static on(canvas: HTMLCanvasElement | OffscreenCanvas): Promise<Stage>;
  readonly driver: string;
  get camera(): Camera;
  set camera(camera: Partial<Camera>);
  /** Aims at the model as it stands; at all that the clip shows that is played. */
  aim(model: Model, options?: { aspect?: number }): void;
  aimClip(model: Model, options?: { aspect?: number }): void;
  turn(azimuth: number, elevation: number): void;
  zoom(factor: number): void;
  pan(dx: number, dy: number): void;
  draw(model: Model, look?: Look): void;
  /** Whether what draw() asked for is still to be done, by a graphics card or a processor in its place. */
  readonly drawing: boolean;
  /** What draw() has just left on the canvas, over a backdrop. Others may draw while it is waited for; picture() waits. */
  read(): Promise<Picture>;
  picture(model: Model, width: number, height: number, look?: Look, samples?: number): Picture;
  /** Frees what a model has on the driver. Before the model's dispose(). */
  remove(model: Model): void;
  /** The context is lost: dispose of it, and make another once it is restored. */
  lose(): void;
  readonly lost: boolean;
  /** A defect of ours ended what it was of (code "trap"): make another, for models that are opened from then on. */
  readonly dead: Error | null;
  dispose(): void;
}
