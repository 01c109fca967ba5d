// Zip archives, and animated WebP from still images that the browser encoded
// (https://developers.google.com/speed/webp/docs/riff_container).

// Packs little-endian whole numbers, [value, size in bytes] each.
function pack(...fields) {
  const bytes = [];
  for (const [value, size] of fields) for (let i = 0; i < size; i++) bytes.push(Math.floor(value / 2 ** (8 * i)) & 255);
  return Uint8Array.from(bytes);
}

// ---- Zip -------------------------------------------------------------------------------------

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 255];
  return ~crc >>> 0;
}

const UTF8 = 0x0800;
const DAY = 0x21; // the earliest date in zip, 1980-01-01

/** Makes a zip archive without compression, a Blob, of files: [name, bytes] each. */
export function makeZip(members) {
  const [parts, directory] = [[], []];
  let offset = 0;
  for (const [name, bytes] of members) {
    const path = new TextEncoder().encode(name);
    const common = [[20, 2], [UTF8, 2], [0, 2], [0, 2], [DAY, 2], [crc32(bytes), 4], [bytes.length, 4], [bytes.length, 4], [path.length, 2], [0, 2]];
    const head = pack([0x04034b50, 4], ...common);
    parts.push(head, path, bytes);
    directory.push(pack([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), path);
    offset += head.length + path.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = pack([0x06054b50, 4], [0, 2], [0, 2], [members.length, 2], [members.length, 2], [size, 4], [offset, 4], [0, 2]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

// ---- WebP ------------------------------------------------------------------------------------

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
