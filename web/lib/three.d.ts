import type { AnimationClip, Group, Loader, Matrix4, Texture } from "three";
import type { CoreModel } from "./core.js";
import type { Bytes, Model, Source, open } from "./index.js";

/**
 * A model in three.js: a Group with a Mesh for each surface of each part. Its AnimationMixer blends clips by the
 * weights of their actions, and what remains with the pose at rest. Additive actions throw an error. Vertices are
 * sampled when they are read, so models outside of the view cost nothing. Bounds contain all frames of the clips that
 * play.
 */
export class KeyframeModel extends Group {
  constructor(model: CoreModel | Model, options?: { units?: number });
  /** The open model, which clones share. Call update() after you changed its pose. */
  readonly model: CoreModel | Model;
  readonly animations: AnimationClip[];
  /**
   * The pose at rest: a position on the track of all clips, one step per frame. Setting it ends all animations'
   * effects.
   */
  step: number;
  /** Makes the model's current pose the pose at rest, after you changed it. */
  update(): void;
  /** Returns the transform of a part's tag relative to this group. */
  tagMatrix(part: number, name: string): Matrix4;
  /** Shows an image on the first part, or only on its surface of this name; null: the model's own textures. */
  setSkin(skin: Source | Texture | null, surface?: string | null): Promise<void>;
  /**
   * Returns a copy with a pose and animations of its own, which needs its own AnimationMixer. It shares the open model,
   * textures and materials.
   */
  clone(recursive?: boolean): this;
  /** Frees the geometry. The last clone also frees textures, materials and the model. */
  dispose(): void;
}

export type KeyframeOptions = NonNullable<Parameters<typeof open>[1]> & {
  units?: number;
  /** True: always opens a Model of lerpmesh. Default: a CoreModel of lerpmesh/core, unless the options need more. */
  full?: boolean;
};

/**
 * Loads models, in place of three.js' MD2Loader. load() and loadAsync() fetch the textures that `options.files` lacks
 * from the model's folder, unless `options.images` is "none".
 */
export class KeyframeLoader extends Loader<KeyframeModel> {
  options: KeyframeOptions;
  parseAsync(bytes: Bytes | Blob, options?: KeyframeOptions): Promise<KeyframeModel>;
}
