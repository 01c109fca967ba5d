// web_pack.mjs package BUILT FOLDER VERSION: writes the package's wasm.js, more.js and core_wasm.js, the gzipped
// modules embedded in JavaScript for bundlers that copy no files, and its package.json.
// web_pack.mjs types: declares the options of conversions, from the JSON of `lerpmesh help convert --json`.
// web_pack.mjs html FOLDER: inserts texts and addresses into the page's HTML. In the environment, PAGE_URL is the
// page's address, with a slash at its end, which social networks need to show its picture; its documentation is in
// docs/. HOMEPAGE is the project's address, for links.
// web_pack.mjs page FOLDER VERSION: packs the page's samples, and lists the files for its service worker's cache.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

const WASM = (text) => `// The WebAssembly module, gzipped: written by \`make web\`.
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

// zopfli compresses 5 % better than zlib.
const gzip = (path) => execFileSync("zopfli", ["-c", path], { maxBuffer: 1 << 24 });

// Returns the type of an option's value in JavaScript.
function typeOf({ type, value, words }) {
  if (type === "flag") return "boolean";
  if (words) return words.map((word) => (Number(word) ? word : JSON.stringify(word))).join(" | ");
  const one = { number: "number", whole: "number", size: "number | string" }[type] ?? "string";
  return value.startsWith("[") ? `boolean | ${one}` : type === "texts" ? `${one} | ${one}[]` : one;
}

// Declares the options that `lerpmesh help convert --json` lists.
function declareOptions(options) {
  const lines = options.filter(({ type }) => type !== "own").map((option) => {
    const { name, help, formats } = option;
    const key = name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    return `  /** ${help}${formats ? ` (${formats.join(", ")})` : ""} */\n  ${key}?: ${typeOf(option)};\n`;
  });
  return `/** The options of \`lerpmesh convert\`: written by \`make web\`. */\nexport interface ConvertOptions {\n  ` +
    `/** More options, as the command takes them: --decimate 50% --clip run. They replace properties. If there may ` +
    `be several values, they are added. */\n  options?: string;\n${lines.join("")}}\n`;
}

async function packPackage(built, folder, version) {
  for (const [module, script] of [["lerpmesh", "wasm"], ["more", "more"], ["core", "core_wasm"]])
    writeFileSync(`${folder}/${script}.js`, WASM(gzip(`${built}/${module}.wasm`).toString("base64")));
  const description = JSON.parse(readFileSync("web/package.json", "utf8"));
  writeFileSync(`${folder}/package.json`, JSON.stringify({ ...description, version }, null, 2) + "\n");
  const { convertOptions } = await import(pathToFileURL(`${folder}/index.js`));
  writeFileSync(`${folder}/options.d.ts`, declareOptions(await convertOptions()));
}

/**
 * Transforms bytes so that gzip compresses them better. Each region, [end, row], consists of rows of `row` bytes. Its
 * output is the difference of each byte to the row before, in four lanes: bytes 0, 4, 8, ..., then 1, 5, 9, ... Row 0
 * copies the region unchanged. web/page/files.js has the inverse.
 */
function pack(bytes, regions) {
  const parts = [
    Buffer.from(
      Uint32Array.of(regions.length, ...regions.flatMap(([end, row], i) => [end - (regions[i - 1]?.[0] ?? 0), row]))
        .buffer,
    ),
  ];
  let begin = 0;
  for (const [end, row] of regions) {
    const differences = bytes
      .subarray(begin, end)
      .map((byte, at) => byte - (row && at >= row ? bytes[begin + at - row] : 0));
    for (let lane = 0; lane < (row ? 4 : 1); lane++)
      parts.push(row ? differences.filter((_, at) => at % 4 === lane) : differences);
    begin = end;
  }
  return Buffer.concat(parts);
}

// Returns an MD2 with only the frames whose names match.
function selectFrames(original, pattern) {
  const size = original.readInt32LE(4 * 4);
  // Frames, then GL commands.
  const [first, commands, end] = [14, 15, 16].map((field) => original.readInt32LE(4 * field));
  const count = (commands - first) / size;
  const frames = Array.from({ length: count }, (_, i) => original.subarray(first + i * size, first + (i + 1) * size))
    .filter((frame) => pattern.test(frame.toString("latin1", 24, 40)));
  const model = Buffer.concat([original.subarray(0, first), ...frames, original.subarray(commands)]);
  const removed = (count - frames.length) * size;
  for (const [field, value] of [
    [10, frames.length],
    [15, commands - removed],
    [16, end - removed],
  ])
    model.writeInt32LE(value, 4 * field);
  return model;
}

// Packs a file, and checks that unpacking returns its bytes.
async function packFile(path, bytes, regions = [[bytes.length, 0]]) {
  const { unpack } = await import(pathToFileURL("web/page/files.js"));
  const packed = pack(bytes, regions);
  const back = Buffer.from(await unpack(Uint8Array.from(packed)).arrayBuffer());
  if (!back.equals(bytes)) throw new Error(`${path}: unpacking does not return the original bytes`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.pack`, packed);
  writeFileSync(`${path}.pack`, gzip(`${path}.pack`));
}

// Packs the gallery: each model's files, and its thumbnail. Writes their list: { name, files } each. The name is the
// model's path without its extension, or its folder.
async function packGallery(folder) {
  const filesOf = (path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .sort()
          .map((name) => `${path}/${name}`)
      : [path];
  const list = JSON.parse(readFileSync("web/page/samples.json", "utf8")).map((paths) => ({
    name: paths[0].replace(/\.\w+$/, ""),
    files: paths
      .flatMap((path) => filesOf(`samples/${path}`))
      .map((path) => path.slice("samples/".length))
      .filter((path) => !/icon_\w+\.tga$/.test(path)),
  }));
  for (const path of new Set(list.flatMap(({ files }) => files)))
    await packFile(`${folder}/samples/${path}`, readFileSync(`samples/${path}`));
  for (const { name } of list)
    copyFileSync(
      `web/thumbnails/${name.replaceAll("/", "-")}.webp`,
      `${folder}/samples/${name.replaceAll("/", "-")}.webp`,
    );
  writeFileSync(`${folder}/samples/list.json`, JSON.stringify(list));
}

// Packs the model that is shown first.
async function packSample(folder) {
  const model = selectFrames(readFileSync("samples/tick.md2"), /^(run|wave)/);
  const header = (field) => model.readInt32LE(4 * field);
  const [frame, st, triangles, frames, commands, end] = [4, 12, 13, 14, 15, 16].map(header);
  await packFile(`${folder}/tick.md2`, model, [[st, 0], [triangles, 4], [frames, 12], [commands, frame], [end, 12]]);
  await packFile(`${folder}/tick.pcx`, readFileSync("samples/tick.pcx"));
}

// Makes links to the source, the documentation and the package, if their addresses are known.
function makeLinks(texts) {
  const { PAGE_URL, HOMEPAGE } = process.env;
  const links = {
    source: HOMEPAGE,
    docs: PAGE_URL && `${PAGE_URL}docs/`,
    npm: HOMEPAGE && "https://www.npmjs.com/package/lerpmesh",
  };
  return Object.entries(links)
    .filter(([, address]) => address)
    .map(
      ([name, address]) => `<a href="${address}" target="_blank" rel="noopener" data-link="${name}">${texts[name]}</a>`,
    )
    .join(" · ");
}

// Replaces %NAME% in the page and its manifest with the text of this name, and inserts the links.
async function insertTexts(folder) {
  const { STRINGS } = await import(pathToFileURL("web/page/strings_later.js"));
  const texts = { ...STRINGS, pageUrl: process.env.PAGE_URL ?? "" };
  for (const path of [`${folder}/index.html`, `${folder}/manifest.webmanifest`])
    writeFileSync(path, readFileSync(path, "utf8").replace(/%(\w+)%/g, (_, name) => texts[name])
      .replace('<p id="links"></p>', `<p id="links">${makeLinks(STRINGS.links)}</p>`));
}

// Makes the browser fetch all initially imported scripts at once instead of one level after the other.
function preload(folder) {
  const scripts = new Set(["app.js"]); // grows during the loop
  for (const script of scripts)
    for (const [, name] of readFileSync(`${folder}/${script}`, "utf8").matchAll(/(?:from|import)"\.\/([^"]+)"/g))
      scripts.add(name);
  const links = [...scripts]
    .slice(1)
    .map((name) => `<link rel="modulepreload" href="${name}">`)
    .join("\n  ");
  const html = readFileSync(`${folder}/index.html`, "utf8");
  writeFileSync(`${folder}/index.html`, html.replace('<script type="module"', `${links}\n  <script type="module"`));
}

async function packPage(folder, version) {
  await packSample(folder);
  await packGallery(folder);
  preload(folder);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !["sw.js", "social.png"].includes(entry.name))
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(folder.length + 1))
    .sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(`${folder}/${file}`));
  const worker = `${folder}/sw.js`;
  const text = readFileSync(worker, "utf8");
  const cache = `lerpmesh-${version}-${hash.digest("hex").slice(0, 12)}`;
  writeFileSync(
    worker,
    text
      .replace(
        "/* written by `make web` */ []",
        JSON.stringify(["./", ...files.filter((file) => !/^samples\/.*\.pack$/.test(file))]),
      )
      .replace('/* written by `make web` */ "lerpmesh"', JSON.stringify(cache)),
  );
}

const [, , target, ...args] = process.argv;
if (target === "package") await packPackage(...args);
else if (target === "types") process.stdout.write(declareOptions(JSON.parse(readFileSync(0, "utf8"))));
else if (target === "html") await insertTexts(...args);
else await packPage(...args);
