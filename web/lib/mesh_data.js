// Models as plain arrays. index.d.ts is the manual: toMeshData().

import { reverse } from "./blend.js";
import { LerpmeshError } from "./errors.js";

export const UPS = ["z", "y"];

/**
 * @param {TemplateStringsArray} texts
 * @param {any[]} values
 * @returns {never}
 */
export function fail(texts, ...values) {
  const shown = values.map((value) => (typeof value === "number" || typeof value === "string" ? value : typeof value));
  throw new LerpmeshError({ code: "bad-argument", message: String.raw({ raw: texts }, ...shown) });
}

// ---- Axes ----------------------------------------------------------------------------------------

// The file's axes are x forward, y left, z up; those of "y" are x left, y up, z forward. Both are right-handed.
function toUp(vectors, up) {
  if (up === "z") return vectors;
  for (let i = 0; i < vectors.length; i += 3)
    [vectors[i], vectors[i + 1], vectors[i + 2]] = [vectors[i + 1], vectors[i + 2], vectors[i]];
  return vectors;
}

export function fromUp(vectors, up) {
  if (up === "z") return;
  for (let i = 0; i < vectors.length; i += 3)
    [vectors[i], vectors[i + 1], vectors[i + 2]] = [vectors[i + 2], vectors[i], vectors[i + 1]];
}

// A transform's axes are the images of the x, y and z axis, so their order changes as well.
function transformToUp(transform, up) {
  if (up === "z") return transform;
  const [origin, x, y, z] = [0, 3, 6, 9].map((at) => toUp(transform.slice(at, at + 3), up));
  return Float32Array.of(...origin, ...y, ...z, ...x);
}

export function transformsFromUp(transforms, up) {
  if (up === "z") return;
  fromUp(transforms, up);
  for (let i = 0; i < transforms.length; i += 12) {
    const left = transforms.slice(i + 3, i + 6);
    transforms.copyWithin(i + 3, i + 9, i + 12); // forward
    transforms.copyWithin(i + 9, i + 6, i + 9); // up
    transforms.set(left, i + 6);
  }
}

// ---- Models to arrays ----------------------------------------------------------------------------

// Poses the model on each of the part's frames in turn, and restores its pose.
function visitFrames(part, leader, count, visit) {
  const { model } = part;
  const poses = model.parts.map((one) => one.pose);
  try {
    for (let frame = 0; frame < count; frame++) {
      model.poseFrames(frame, frame, 0, leader.index);
      visit(frame);
    }
  } finally {
    poses.forEach(({ frameA, frameB, t, hidden }, index) => model.poseFrames(frameA, frameB, t, index, hidden));
  }
}

function surfaceData(part, surface, frames) {
  const { name = "", texture = -1, alpha = "opaque", twoSided = false } = part.materials[surface.index] ?? {};
  const rows = () => {
    const all = new Float32Array(3 * surface.vertices * frames);
    return Array.from({ length: frames }, (_, frame) =>
      all.subarray(3 * surface.vertices * frame, 3 * surface.vertices * (frame + 1)),
    );
  };
  return {
    name: surface.name, indices: reverse(surface.indices), uvs: surface.st, positions: rows(), normals: rows(),
    material: { name: surface.materials[0] ?? name, image: texture, alpha, twoSided },
  };
}

function clipData(model, leader, frames) {
  return model.clips
    .filter((clip) => clip.part === leader.index && clip.first + clip.count <= frames)
    .map(({ name, number, first, count, fps, loopFrames, duration }) => {
      const { backwards, times } = leader.info.clips[number];
      return {
        name,
        first,
        count,
        fps,
        loopFrames,
        duration,
        ...(backwards && { backwards }),
        ...(times && { times }),
      };
    });
}

export function meshDataOf(part, { up = "z", images = true } = {}) {
  const { model } = part;
  if (!UPS.includes(up)) fail`there is no axis "${up}": choose "z" or "y"`;
  let leader = part;
  while (leader.sharesFrames) leader = model.parts[leader.parent];
  const frames = Math.min(part.frames, leader.frames); // a part that shares its parent's frames shows no others
  const surfaces = part.surfaces.map((surface) => surfaceData(part, surface, frames));
  const tags = part.info.tags.map((name) => ({ name, transforms: [] }));
  visitFrames(part, leader, frames, (frame) => {
    surfaces.forEach(({ positions, normals }, index) => {
      if (positions[frame].length === 0) return;
      part.sample(index, { positions: positions[frame], normals: normals[frame] });
      toUp(positions[frame], up);
      toUp(normals[frame], up);
    });
    for (const tag of tags) tag.transforms.push(transformToUp(part.tag(tag.name), up));
  });
  const used = [...new Set(surfaces.map(({ material }) => material.image))].filter((image) => images && image >= 0);
  for (const { material } of surfaces) material.image = used.indexOf(material.image);
  return {
    name: part.name,
    up,
    grid: part.grid ?? null,
    frames: part.info.frames.slice(0, frames).map(({ name }) => name),
    surfaces,
    tags,
    clips: clipData(model, leader, frames),
    images: used.map((number) => model.image(number)),
  };
}
