import type { AbstractMesh, ISceneLoaderAsyncResult, Scene } from "@babylonjs/core";
import type { CoreModel } from "./core.js";
import type { FileOptions, Model, OpenOptions } from "./index.js";

/**
 * Importing "lerpmesh/babylon" registers a plugin for .md2, .md3, .mdc, .mdl and .mds. ImportMeshAsync,
 * LoadAssetContainerAsync and AppendSceneAsync then load models with the textures in their folder. `pluginOptions: {
 * lerpmesh: … }` has these options.
 */
export interface KeyframePluginOptions extends OpenOptions, FileOptions {
  /** Units of the model per unit of the scene; default: 1. */
  units?: number;
  /** False: does not start the clip at rest. Asset containers never do. */
  autoplay?: boolean;
  /** True: always opens a Model of lerpmesh. Default: a CoreModel of lerpmesh/core, unless the options need more. */
  full?: boolean;
}

/**
 * Adds an open model, such as a player of an archive, to a scene. Returns the same as ImportMeshAsync:
 * - `meshes[0]` is the root, and the others are the surfaces. Their bounding boxes contain all frames.
 * - `transformNodes` contains a node for each tag, which other objects can be attached to.
 * - Each clip is an AnimationGroup, which loops if the clip does. Weights of groups blend their poses.
 *
 * The root's dispose() frees the model with its materials and textures. Clones and instances share the original's pose.
 */
export function addModel(
  model: CoreModel | Model,
  scene: Scene,
  options?: Pick<KeyframePluginOptions, "units" | "autoplay"> & { meshNames?: string | readonly string[] | null },
): ISceneLoaderAsyncResult;

/** Returns the open model of a root mesh, or null. */
export function modelOf(root: AbstractMesh): CoreModel | Model | null;
