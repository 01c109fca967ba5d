// Makes a zip archive without compression: a Blob of files, [name, bytes] each.
import { pack } from "./pack.js";

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
