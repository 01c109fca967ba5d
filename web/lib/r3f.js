// Keyframe meshes in react-three-fiber. r3f.d.ts is the manual.

import { useFrame, useLoader } from "@react-three/fiber";
import { createElement, useEffect, useMemo, useRef, useState } from "react";
import { AnimationMixer, LoopOnce } from "three";
import { LerpmeshError } from "./errors.js";
import { KeyframeLoader } from "./three.js";

const timers = new WeakMap(); // model: the timer of its disposal

// React's strict mode runs effects twice, so this disposes of the model later, unless the effect has run again.
function useDisposal(model) {
  useEffect(() => {
    clearTimeout(timers.get(model));
    return () => void timers.set(model, setTimeout(() => model.dispose()));
  }, [model]);
}

export function useKeyframes(url, options = {}) {
  const loaded = useLoader(KeyframeLoader, url, (loader) => (loader.options = options));
  const model = useMemo(() => /** @type {any} */ (loaded).clone(), [loaded]);
  const mixer = useMemo(() => new AnimationMixer(model), [model]);
  useDisposal(model);
  useFrame((_, seconds) => void mixer.update(seconds));
  return { model, mixer };
}

function start(mixer, clip, fade) {
  const action = mixer.clipAction(clip);
  if (!action) {
    const names = mixer.getRoot().animations.map(({ name }) => name).join(", ");
    throw new LerpmeshError({ code: "bad-argument", message: `there is no clip "${clip}"; the clips are ${names}` });
  }
  const { loop } = action.getClip().userData;
  action.reset().setLoop(loop, loop === LoopOnce ? 1 : Infinity).play();
  action.clampWhenFinished = true;
  if (fade > 0) action.fadeIn(fade);
  return action;
}

// Plays a clip. Fades from the pose that the same mixer shows.
function useClip(mixer, clip, fade) {
  const previous = useRef(/** @type {any} */ ({}));
  useEffect(() => {
    const { action } = previous.current;
    const fades = previous.current.mixer === mixer && previous.current.clip !== clip && fade > 0;
    previous.current = { mixer, clip, action: clip ? start(mixer, clip, fades ? fade : 0) : null };
    if (action && action !== previous.current.action) void (fades ? action.fadeOut(fade) : action.stop());
  }, [mixer, clip]);
}

// Shows a skin. Rejections reach React's error boundary.
function useSkin(model, skin) {
  const [error, setError] = useState(null);
  useEffect(() => void model.setSkin(skin).catch(setError), [model, skin]);
  if (error) throw error;
}

export function Keyframes({ url, options, clip = null, fade = 0.3, speed = 1, skin = null, ...props }) {
  const { model, mixer } = useKeyframes(url, options);
  mixer.timeScale = speed;
  useClip(mixer, clip, fade);
  useSkin(model, skin);
  return createElement("primitive", { ...props, object: model });
}
