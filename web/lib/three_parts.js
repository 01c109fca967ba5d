// What three.js and instances.js share.

import {
  Box3, DataTexture, LinearFilter, LinearMipmapLinearFilter, RepeatWrapping, RGBAFormat, SRGBColorSpace,
} from "three";
import { readImage } from "./loading.js";
import { fetchContent } from "./fetch.js";

export const WIDTH_BITS = 11; // of the textures of instances: every WebGL 2 has a width of 2048
const BOX_MARGIN = 1e-6; // relative: interpolation rounds positions

export function textureFrom({ width, height, pixels }) {
  const texture = new DataTexture(
    new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength),
    width,
    height,
    RGBAFormat,
  );
  return Object.assign(texture, {
    colorSpace: SRGBColorSpace, wrapS: RepeatWrapping, wrapT: RepeatWrapping, magFilter: LinearFilter,
    minFilter: LinearMipmapLinearFilter, generateMipmaps: true, needsUpdate: true,
  });
}

/** Returns the box of a part in frames first .. first + count - 1. */
export function boxOfFrames(part, first, count) {
  const box = new Box3();
  const begin = Math.min(first, part.frames - 1);
  if (part.surfaces.every((surface) => surface.vertices === 0)) return box;
  const { min, max } = part.bounds(begin, Math.min(count, part.frames - begin));
  box.min.fromArray(min);
  box.max.fromArray(max);
  return box.expandByScalar(BOX_MARGIN * Math.max(...min.map(Math.abs), ...max.map(Math.abs)));
}

export async function readSkin(source) {
  const content = await fetchContent(source);
  return readImage(content instanceof Blob ? await content.arrayBuffer() : content);
}
