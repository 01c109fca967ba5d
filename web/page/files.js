// The page's files: their names, their kinds by extension, and the sample models, as packed by scripts/web_pack.mjs:
// Tick to less than half its size.
export const ARCHIVE = /\.(pk3|pak|zip)$/i;
/** Models that the worker converts. */
export const IMPORTED = /\.(glb|gltf|iqm)$/i;
/** Images and .skin files, which are skins of the current model if they are opened alone. */
export const SKIN = /\.(pcx|png|jpe?g|tga|webp|gif|bmp|avif|skin)$/i;

/** Returns the parts of a path, also of one in an archive. */
export const partsOf = (path) => path.split(/[/:]/).filter((part) => part && part !== ".");
export const nameOf = (path) => partsOf(path).at(-1);
export const titleOfPath = (path) => (nameOf(path) ?? "").replace(/(.)\.[^.]*$/, "$1");

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

/** Fetches a file that scripts/web_pack.mjs packed: [name, bytes]. */
export async function readPacked(path, name = path) {
  const { body } = await fetch(`${path}.pack`);
  const stream = body.pipeThrough(new DecompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  return [name, new Uint8Array(await unpack(packed).arrayBuffer())];
}

/** Fetches the list of the gallery: { name, files } each. */
export const listSamples = async () => (await fetch("samples/list.json")).json();
/** Fetches the files of a model of the gallery: [name, bytes] each. */
export const readSample = ({ files }) => Promise.all(files.map((name) => readPacked(`samples/${name}`, name)));

/** Fetches the files of the model that is shown first: [name, bytes] each. */
export const sample = () => Promise.all(["tick.md2", "tick.pcx"].map((name) => readPacked(name)));
