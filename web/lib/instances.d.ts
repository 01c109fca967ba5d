import type { Color, Group, InstancedBufferAttribute, Material, Matrix4, Sphere } from "three";
import type { CoreModel } from "./core.js";
import type { Model, RgbaImage, Source } from "./index.js";
import type { KeyframeModel } from "./three.js";

/** Options of setClipAt(). */
export interface ClipOptions {
  /** The time in the clip at the current `time`, in seconds. Default: 0. */
  time?: number;
  /** Seconds of the clip per second. 0 pauses, negative rates play backwards. Default: 1. */
  rate?: number;
  /** True repeats the whole clip, false stops on its last frame. Default: as the clip's own loop says. */
  loop?: boolean;
  /** Seconds during which the pose blends from the clip before, which keeps playing. Default: 0. */
  fade?: number;
}

/**
 * Many instances of a model, with one InstancedMesh per surface (`children`). The GPU poses each instance in its own
 * clip. Attached parts follow their tags. While clips play, only `time` changes: nothing is uploaded. Import it from
 * `lerpmesh/instances` for WebGLRenderer, or from `lerpmesh/instances/webgpu` for WebGPURenderer (three.js 0.187).
 */
export class KeyframeInstances extends Group {
  private constructor();
  /**
   * Creates instances, which show the model's rest clip at the origin. `source`: an open model, which dispose() then
   * closes, or a KeyframeModel, which shares its own. `count`: the most that can be drawn. `skins`: further skins of
   * the first part, or the same model opened with other skins. `material`: returns the material of a surface, made from
   * that of the KeyframeModel.
   */
  static create(
    source: CoreModel | Model | KeyframeModel,
    count: number,
    options?: {
      /** Units of the model per unit of the scene. */
      units?: number;
      skins?: (Source | RgbaImage | CoreModel | Model)[];
      material?: (plain: Material) => Material;
    },
  ): Promise<KeyframeInstances>;
  /** The open model. Rays and new clips change its pose. */
  readonly model: CoreModel | Model;
  /** The time of all clips, in seconds. Advance it before each frame. */
  time: number;
  /** The number of instances that are drawn. */
  count: number;
  /** The transforms. After you wrote them yourself, set needsUpdate and call computeBoundingSphere(). */
  readonly instanceMatrix: InstancedBufferAttribute;
  /** The colors, once setColorAt() was called. */
  readonly instanceColor?: InstancedBufferAttribute;
  getMatrixAt(index: number, target: Matrix4): Matrix4;
  setMatrixAt(index: number, matrix: Matrix4): void;
  /** Multiplies the colors of an instance. */
  setColorAt(index: number, color: Color): void;
  /** Starts a clip, or clips of several parts joined with + (see Model.play); null: the first frame. */
  setClipAt(index: number, clip: string | null, options?: ClipOptions): void;
  /** Returns the clip that was set last, and its time now. */
  getClipAt(index: number): { clip: string | null; time: number; rate: number; loop: boolean | undefined };
  /** Shows a skin: 0 is the model's own, 1 the first of create(). */
  setSkinAt(index: number, skin: number): void;
  getSkinAt(index: number): number;
  /** Computes the sphere around all instances in all poses, relative to this group. */
  computeBoundingSphere(): Sphere;
  /** Frees textures, materials and geometry. If nothing else shares the model, closes it. */
  dispose(): void;
}
