// The sample model, Tick, as packed by scripts/web_pack.mjs to less than half its size.

/** Unpacks the bytes of pack(). */
export function unpack(packed) {
  const [count, ...rows] = new Uint32Array(packed.buffer, 0, 1 + 2 * new Uint32Array(packed.buffer, 0, 1)[0]);
  let from = 4 + 8 * count;
  const regions = Array.from({ length: count }, (_, i) => {
    const [size, row] = rows.slice(2 * i, 2 * i + 2);
    const region = new Uint8Array(size);
    const lanes = row ? 4 : 1;
    for (let lane = 0; lane < lanes; lane++) for (let at = lane; at < size; at += lanes) region[at] = packed[from++];
    if (row) for (let at = row; at < size; at++) region[at] += region[at - row];
    return region;
  });
  return new Blob(regions);
}

async function read(name) {
  const { body } = await fetch(`${name}.pack`);
  const stream = body.pipeThrough(new DecompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  return [name, new Uint8Array(await unpack(packed).arrayBuffer())];
}

/** Fetches the sample's files: [name, bytes] each. */
export const sample = () => Promise.all(["tick.md2", "tick.pcx"].map(read));
