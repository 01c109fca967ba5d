import type { ThreeElements } from "@react-three/fiber";
import type { ReactElement } from "react";
import type { AnimationMixer, Texture } from "three";
import type { Source } from "./index.js";
import type { KeyframeLoader, KeyframeModel } from "./three.js";

/**
 * Loads a model, and returns a clone of it with a mixer, which every frame updates. Components with the same URL share
 * one loaded model, with the options of the first. Suspends until the model is loaded. Disposes of the clone on
 * unmount.
 */
export function useKeyframes(
  url: string,
  options?: KeyframeLoader["options"],
): { model: KeyframeModel; mixer: AnimationMixer };

export type KeyframesProps = Omit<ThreeElements["primitive"], "object"> & {
  url: string;
  /** The options of the loader. */
  options?: KeyframeLoader["options"];
  /** The clip to play, as its loop flag says. Default: none, the model's pose at rest. */
  clip?: string | null;
  /** The seconds of a fade from the previous clip; default: 0.3. */
  fade?: number;
  /** A factor for the clip's rate. */
  speed?: number;
  /** An image to show instead of the model's textures; see KeyframeModel.setSkin. */
  skin?: Source | Texture | null;
};

/** `<Keyframes url="tris.md2" clip="run" position={[0, 1, 0]} />`: a model with the properties of a primitive. */
export function Keyframes(props: KeyframesProps): ReactElement;
