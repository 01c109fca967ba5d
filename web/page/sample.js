// The sample model, Tick, as packed by scripts/web_pack.mjs to less than half its size.

/** Unpacks the bytes of pack(). */
export function unpack(packed) {
  const [count, ...rows] = new Uint32Array(packed.buffer, 0, 1 + 2 * new Uint32Array(packed.buffer, 0, 1)[0]);
  let from = 4 + 8 * count;
  const rooms = Array.from({ length: count }, (_, i) => {
    const [size, row] = rows.slice(2 * i, 2 * i + 2);
    const room = new Uint8Array(size);
    const planes = row ? 4 : 1;
    for (let plane = 0; plane < planes; plane++) for (let at = plane; at < size; at += planes) room[at] = packed[from++];
    if (row) for (let at = row; at < size; at++) room[at] += room[at - row];
    return room;
  });
  return new Blob(rooms);
}

async function read(name) {
  const { body } = await fetch(`${name}.pack`);
  const stream = body.pipeThrough(new DecompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  return [name, new Uint8Array(await unpack(packed).arrayBuffer())];
}

/** Fetches the sample's files: [name, bytes] each. */
export const sample = () => Promise.all(["tick.md2", "tick.pcx"].map(read));
