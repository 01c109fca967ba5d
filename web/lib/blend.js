// Weighted means of poses, for libraries with animation mixers.

/** Moves numbers towards others: weight 0 keeps them, weight 1 replaces them. */
export function blend(into, from, weight) {
  for (let i = 0; i < into.length; i++) into[i] += (from[i] - into[i]) * weight;
}

/** Normalises vectors; `instead` replaces those that are 0. */
export function normalize(vectors, instead) {
  for (let i = 0; i < vectors.length; i += 3) {
    const length = Math.sqrt(vectors[i] ** 2 + vectors[i + 1] ** 2 + vectors[i + 2] ** 2); // faster than Math.hypot
    for (let k = i; k < i + 3; k++) vectors[k] = length > 1e-6 ? vectors[k] / length : instead[k];
  }
}

/** Reverses the winding of triangles: front faces are clockwise in the model. */
export function reverse(indices) {
  for (let i = 0; i < indices.length; i += 3) [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
  return indices;
}
