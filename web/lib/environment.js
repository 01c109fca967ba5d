// The light of an environment for stages: an image around the model, or a named one. A Float32Array of 18 numbers, as
// lm_gl_environment: the ambient light by the normal's x, y and z and its constant part, the direction to the key
// light, and the key light. The model's front is +x, its left +y. environment.d.ts is the manual.

import { fetchBytes } from "./fetch.js";
import { LerpmeshError } from "./errors.js";

const WIDTH = 64;
const HEIGHT = 32;
const MEAN = 1.5; // of the light of an image, from all sides
const EXCESS = 2; // the key light is the light beyond this multiple of the mean

// Colours of the sky, of the ground and of the sun or lamp, and the direction to the latter.
const NAMED = {
  neutral: { sky: [1.1, 1.1, 1.1], ground: [0.5, 0.5, 0.5], key: [0.9, 0.9, 0.9], toward: [0.6, -0.35, 0.72] },
  day: { sky: [0.65, 0.85, 1.2], ground: [0.4, 0.36, 0.28], key: [2.1, 1.95, 1.7], toward: [0.5, 0.45, 0.74] },
  sunset: { sky: [0.42, 0.4, 0.62], ground: [0.3, 0.18, 0.12], key: [2.6, 1.15, 0.45], toward: [0.55, 0.8, 0.24] },
  night: { sky: [0.1, 0.14, 0.26], ground: [0.04, 0.05, 0.08], key: [0.4, 0.5, 0.75], toward: [0.4, -0.5, 0.77] },
};

export const ENVIRONMENTS = Object.keys(NAMED);

const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

// Adds `factor` times a colour to that of 18 numbers that starts at `at`.
function add(light, at, color, factor) {
  for (let c = 0; c < 3; c++) light[at + c] += color[c] * factor;
}

function named({ sky, ground, key, toward }) {
  const light = new Float32Array(18);
  add(light, 6, sky, 0.5);
  add(light, 6, ground, -0.5);
  add(light, 9, sky, 0.5);
  add(light, 9, ground, 0.5);
  const length = Math.hypot(...toward);
  light.set([...toward.map((one) => one / length), ...key], 12);
  return light;
}

const toLinear = (byte) => (byte <= 10 ? byte / 3294.6 : ((byte / 255 + 0.055) / 1.055) ** 2.4);

// Returns the directions of an equirectangular image: { color, toward, share }; the shares add up to 4. The image's
// middle is in front of the model.
function directionsOf({ width, height, colors }) {
  return colors.map((color, i) => {
    const azimuth = (((i % width) + 0.5) / width - 0.5) * 2 * Math.PI;
    const elevation = (0.5 - (Math.floor(i / width) + 0.5) / height) * Math.PI;
    const toward = [
      Math.cos(elevation) * Math.cos(azimuth),
      -Math.cos(elevation) * Math.sin(azimuth),
      Math.sin(elevation),
    ];
    return { color, toward, share: (Math.cos(elevation) * 2 * Math.PI) / (width * height) };
  });
}

// Divides the light into an ambient one, the first two orders of its spherical harmonics, and a key light: the part
// beyond a multiple of the mean, as far as it comes from one direction.
function lightOf(image) {
  const directions = directionsOf(image);
  const mean = directions.reduce((sum, { color, share }) => sum + (luminance(color) * share) / 4, 0);
  const scale = mean > 0 ? MEAN / mean : 0;
  const excessOf = (color) => Math.max(1 - (EXCESS * mean) / luminance(color), 0) || 0; // share of the colour
  const sum = [0, 0, 0];
  let total = 0;
  for (const { color, toward, share } of directions) {
    const weight = excessOf(color) * luminance(color) * share;
    total += weight;
    add(sum, 0, toward, weight);
  }
  const length = Math.hypot(...sum);
  const coherence = total > 0 ? length / total : 0;
  const light = new Float32Array(18);
  if (length > 0) light.set(sum.map((one) => one / length), 12);
  for (const { color, toward, share } of directions) {
    const key = excessOf(color) * coherence;
    const ambient = (1 - key) * share * scale;
    toward.forEach((one, axis) => add(light, 3 * axis, color, (ambient * one) / 2));
    add(light, 9, color, ambient / 4);
    add(light, 15, color, key * share * scale);
  }
  return light;
}

// ---- Images --------------------------------------------------------------------------------------

async function readPicture(bytes) {
  const bitmap = await createImageBitmap(new Blob([bytes]), {
    resizeWidth: WIDTH,
    resizeHeight: HEIGHT,
    resizeQuality: "high",
  });
  const context = new OffscreenCanvas(WIDTH, HEIGHT).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
  const colors = Array.from({ length: WIDTH * HEIGHT }, (_, i) => [...data.subarray(4 * i, 4 * i + 3)].map(toLinear));
  return { width: WIDTH, height: HEIGHT, colors };
}

// Reads one line of a Radiance picture into `row`, 4 * width bytes. Returns the position after it.
function readHdrRow(bytes, at, row, width) {
  const packed = bytes[at] === 2 && bytes[at + 1] === 2 && ((bytes[at + 2] << 8) | bytes[at + 3]) === width;
  if (!packed) {
    row.set(bytes.subarray(at, at + 4 * width));
    return at + 4 * width;
  }
  at += 4;
  for (let channel = 0; channel < 4; channel++)
    for (let x = 0; x < width; ) {
      const code = bytes[at++];
      const run = code > 128;
      const count = run ? code - 128 : code;
      if (!(count > 0 && x + count <= width)) throw new Error("a run is too long");
      for (let i = 0; i < count; i++) row[4 * x++ + channel] = bytes[run ? at : at + i];
      at += run ? 1 : count;
    }
  return at;
}

// Reads a Radiance picture (.hdr), reduced to at most WIDTH * HEIGHT means.
function readHdr(bytes) {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  const found = /\n\n-Y (\d{1,5}) \+X (\d{1,5})\n/.exec(head);
  if (!found) throw new Error("its header is not that of a Radiance picture");
  const [rows, columns] = found.slice(1).map(Number);
  const width = Math.min(columns, WIDTH);
  const height = Math.min(rows, HEIGHT);
  const colors = Array.from({ length: width * height }, () => [0, 0, 0]);
  const row = new Uint8Array(4 * columns);
  for (let y = 0, at = found.index + found[0].length; y < rows; y++) {
    if (at >= bytes.length) throw new Error("it is cut off");
    at = readHdrRow(bytes, at, row, columns);
    for (let x = 0; x < columns; x++) {
      const cell = Math.floor((y * height) / rows) * width + Math.floor((x * width) / columns);
      add(colors[cell], 0, row.subarray(4 * x, 4 * x + 3), 2 ** (row[4 * x + 3] - 136));
    }
  }
  return { width, height, colors };
}

const isHdr = (bytes) => bytes[0] === 0x23 && bytes[1] === 0x3f; // "#?"

export async function loadEnvironment(source, base, options) {
  if (Object.hasOwn(NAMED, source)) return named(NAMED[source]);
  const isBlob = source instanceof Blob;
  const name = !isBlob ? new URL(source, base) : source instanceof File ? source.name : "image";
  const bytes = isBlob ? new Uint8Array(await source.arrayBuffer()) : await fetchBytes(name, options);
  try {
    return lightOf(isHdr(bytes) ? readHdr(bytes) : await readPicture(bytes));
  } catch (error) {
    throw new LerpmeshError(
      { code: "bad-image", message: `cannot read the environment ${name}: ${error.message}` },
      { cause: error },
    );
  }
}
