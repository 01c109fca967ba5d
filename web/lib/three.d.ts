import type { AnimationClip, Group, Loader, Matrix4 } from "three";
import type { Bytes, Model, OpenOptions, Source } from "./index.js";

/** A model in three.js: a Group with a Mesh for each surface of each part. */
export class KeyframeModel extends Group {
  constructor(model: Model, options?: { units?: number });
  readonly model: Model;
  readonly animations: AnimationClip[];
  /** The position on the track of all clips. Animations set it. */
  step: number;
  /** Shows the model's current pose, after you changed it. */
  update(): void;
  /** Returns the transform of a part's tag relative to this group. */
  tagMatrix(part: number, name: string): Matrix4;
  /** Frees geometry, textures and the model. */
  dispose(): void;
}

type KeyframeOptions = OpenOptions & { units?: number; files?: Record<string, Source>; name?: string };

/** Loads models, in place of three.js' MD2Loader. */
export class KeyframeLoader extends Loader<KeyframeModel> {
  options: KeyframeOptions;
  parseAsync(bytes: Bytes, options?: KeyframeOptions): Promise<KeyframeModel>;
}
