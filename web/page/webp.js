// Animated WebP from still images that the browser encoded (https://developers.google.com/speed/webp/docs/riff_container).
import { pack } from "./pack.js";

const nameOf = (bytes, at) => String.fromCharCode(...bytes.subarray(at, at + 4));

// Returns the chunks of a still image that hold its pixels: "ALPH", "VP8 " and "VP8L".
function imageChunks(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const end = at + 8 + view.getUint32(at + 4, true);
    if (["ALPH", "VP8 ", "VP8L"].includes(nameOf(bytes, at))) chunks.push(bytes.subarray(at, end + (end & 1)));
    at = end + (end & 1);
  }
  return chunks;
}

const chunk = (name, parts) => {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return [new TextEncoder().encode(name), pack([size, 4]), ...parts, ...(size & 1 ? [new Uint8Array(1)] : [])];
};

const [ANIMATION, ALPHA] = [0x02, 0x10]; // flags of the file
const REPLACE = 0x02; // flag of a frame: it is not blended with the one before

/** Makes a WebP that repeats forever, a Blob. `stills`: the bytes of a WebP for each frame; `duration`: of a frame, in ms. */
export function makeAnimation(stills, width, height, duration) {
  const size = [[width - 1, 3], [height - 1, 3]];
  const frames = stills.flatMap((still) => chunk("ANMF", [pack([0, 3], [0, 3], ...size, [duration, 3], [REPLACE, 1]), ...imageChunks(still)]));
  const body = [
    new TextEncoder().encode("WEBP"),
    ...chunk("VP8X", [pack([ANIMATION | ALPHA, 1], [0, 3], ...size)]),
    ...chunk("ANIM", [pack([0, 4], [0, 2])]),
    ...frames,
  ];
  return new Blob(chunk("RIFF", body), { type: "image/webp" });
}
