// web_pack.mjs package BUILT FOLDER VERSION: the package's wasm.js and more.js, the modules inside JavaScript as
// every bundler takes them, gzipped; and its package.json.
// web_pack.mjs page FOLDER VERSION: the list of files that the page's service worker keeps.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const WASM = (text) => `// The WebAssembly module, gzipped: made by \`make web\`.
const text =
  "${text}";

/** The module's bytes. */
export async function bytes() {
  const raw = atob(text);
  const packed = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) packed[i] = raw.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
`;

// zopfli's gzip is a twentieth smaller than zlib's.
const gzip = (path) => execFileSync("zopfli", ["-c", path], { maxBuffer: 1 << 24 });

function packPackage(built, folder, version) {
  for (const [module, script] of [["lerpmesh", "wasm"], ["more", "more"]])
    writeFileSync(`${folder}/${script}.js`, WASM(gzip(`${built}/${module}.wasm`).toString("base64")));
  const told = JSON.parse(readFileSync("web/package.json", "utf8"));
  writeFileSync(`${folder}/package.json`, JSON.stringify({ ...told, version }, null, 2) + "\n");
}

function packPage(folder, version) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "sw.js")
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(folder.length + 1))
    .sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(`${folder}/${file}`));
  const worker = `${folder}/sw.js`;
  const text = readFileSync(worker, "utf8");
  const cache = `lerpmesh-${version}-${hash.digest("hex").slice(0, 12)}`;
  writeFileSync(worker, text
    .replace("/* made by `make web` */ []", JSON.stringify(["./", ...files]))
    .replace('/* made by `make web` */ "lerpmesh"', JSON.stringify(cache)));
}

const [, , what, ...args] = process.argv;
if (what === "package") packPackage(...args);
else packPage(...args);
