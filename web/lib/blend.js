// Weighted means of poses, for libraries with animation mixers.

// Moves numbers towards others: weight 0 keeps them, weight 1 replaces them.
function blend(into, from, weight) {
  for (let i = 0; i < into.length; i++) into[i] += (from[i] - into[i]) * weight;
}

// Normalises vectors; `instead` replaces those that are 0.
function normalize(vectors, instead) {
  for (let i = 0; i < vectors.length; i += 3) {
    const length = Math.sqrt(vectors[i] ** 2 + vectors[i + 1] ** 2 + vectors[i + 2] ** 2); // faster than Math.hypot
    for (let k = i; k < i + 3; k++) vectors[k] = length > 1e-6 ? vectors[k] / length : instead[k];
  }
}

/** The vertices of a surface in a weighted mean of poses. */
export class BlendedSurface {
  #last = null; // the vertices in the last pose, if there are several

  constructor(surface) {
    this.surface = surface;
    this.positions = new Float32Array(3 * surface.vertices);
    this.normals = new Float32Array(3 * surface.vertices);
  }

  /** Adds the current pose. `share`: its share of the poses up to it, 1 for the first. */
  add(share) {
    const { surface, positions, normals } = this;
    if (share === 1) return surface.fill(positions, normals);
    this.#last ??= { positions: positions.slice(), normals: normals.slice() };
    surface.fill(this.#last.positions, this.#last.normals);
    blend(positions, this.#last.positions, share);
    blend(normals, this.#last.normals, share);
  }

  /** Call it after the last of several poses. */
  finish() {
    normalize(this.normals, this.#last.normals);
  }
}

/** The transform of a tag in a weighted mean of poses, as BlendedSurface: origin, then x, y and z axes. */
export class BlendedTag {
  #last;

  constructor(part, name) {
    this.part = part;
    this.name = name;
  }

  add(share) {
    this.#last = this.part.tag(this.name);
    if (share === 1) this.transform = this.#last.slice();
    else blend(this.transform, this.#last, share);
  }

  finish() {
    normalize(this.transform.subarray(3), this.#last.subarray(3));
  }
}

/**
 * Blends { pose, weight } in each of `all`, BlendedSurfaces and BlendedTags. The weights sum to 1; `show` shows a pose.
 */
export function blendPoses(poses, all, show) {
  let sum = 0;
  for (const { pose, weight } of poses) {
    sum += weight;
    show(pose);
    for (const blended of all) blended.add(weight / sum);
  }
  if (poses.length > 1) for (const blended of all) blended.finish();
}

/** Reverses the winding of triangles: front faces are clockwise in the model. */
export function reverse(indices) {
  for (let i = 0; i < indices.length; i += 3) [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
  return indices;
}
