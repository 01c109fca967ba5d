// Messages about files that do not open.
import { LerpmeshError, examine } from "../lib/index.js";
import { ARCHIVE, IMPORTED, nameOf } from "./files.js";
import { isLatest, showError, showMessage, state } from "./state.js";
import { STRINGS as T } from "./strings_later.js";

// ---- Damaged models --------------------------------------------------------------------------

const [FRAMES, SURFACES, END] = [/^(ul)?num_?frames$/i, /^(ul)?num_?surfaces$/i, /^(ul)?(ofs|offset)_?end$/i];
const MAX_PLAUSIBLE = 1 << 16; // larger counts are damaged

// Describes the damage of a file: its size, the one that its header names, and the intact frames and surfaces of those
// that its header names. `part`: the model that was opened without damaged parts, or null.
async function examineDamage(path, part) {
  const bytes = await state.files.read(path);
  const { fields } = await examine(bytes).catch(() => ({ fields: [] }));
  const field = (pattern, otherwise) => {
    const value = fields.find(({ name }) => pattern.test(name))?.value;
    return value <= MAX_PLAUSIBLE ? value : otherwise;
  };
  const end = fields.find(({ name }) => END.test(name))?.value ?? bytes.length;
  const [frames, surfaces] = [part?.frames, part?.surfaces.length];
  return {
    name: nameOf(path), size: bytes.length, end,
    frames, allFrames: field(FRAMES, frames), surfaces, allSurfaces: field(SURFACES, surfaces),
  };
}

// Returns the first damaged part of an entry.
async function findDamage(entry) {
  const model = await state.files.open(entry.player ?? entry.path, { repair: true, images: "none" }).catch(() => null);
  const parts = model?.parts ?? [{ path: entry.path }];
  try {
    const damages = await Promise.all(parts.map((part) => examineDamage(part.path, model && part)));
    const found = damages.find(
      (one) => one.end > one.size || one.frames < one.allFrames || one.surfaces < one.allSurfaces,
    );
    return { ...(found ?? { ...damages[0], name: nameOf(entry.path) }), opens: Boolean(model) };
  } finally {
    model?.dispose();
  }
}

function describeDamage({ name, size, end, frames, allFrames, surfaces, allSurfaces, opens }, code) {
  const cutOff =
    end > size && end < 2 ** 31
      ? T.cutOff(name, size, end)
      : code === "truncated"
        ? T.cutOffInHeader(name, size)
        : null;
  if (!opens) return `${cutOff ?? T.damaged(name)} ${T.nothingIntact}`;
  const intact =
    frames < allFrames
      ? T.intactFrames(frames, allFrames)
      : surfaces < allSurfaces
        ? T.intactSurfaces(surfaces, allSurfaces)
        : T.intactParts;
  return `${cutOff ?? T.damaged(name)} ${intact}`;
}

/** Shows why an entry of the library did not open. If it has intact parts, offers `showIntact`. */
export async function explain(entry, error, opening, showIntact) {
  if (!(error instanceof LerpmeshError)) return showError(error);
  const name = nameOf(entry.path);
  const details = error.message;
  if (error.code === "unknown-format")
    return showMessage(await describeForeign(entry.path, await state.files.read(entry.path)), { details });
  if (/\.gltf$/i.test(name) && /cannot open/.test(details)) return showMessage(T.missingFiles(name), { details });
  if (IMPORTED.test(name) || ["io", "limit", "out-of-memory", "trap", "bad-version"].includes(error.code))
    return showMessage(T.cannotOpen(name), { details });
  const damage = await findDamage(entry).catch(() => null);
  if (!isLatest(opening)) return;
  if (!damage) return showMessage(T.cannotOpen(name), { details });
  const action = damage.opens ? { label: T.showIntact, act: showIntact } : null;
  showMessage(describeDamage(damage, error.code), { details, action });
}

// ---- Files of other formats ------------------------------------------------------------------

// Formats by their first bytes, else by their extension; and how to use such a file.
const FOREIGN = [
  ["mdr", "model", /^RDM5/, /\.mdr$/i],
  ["mds", "model", /^MD[SMX]W/, /\.(mds|mdm|mdx)$/i],
  ["md5", "model", /^MD5Version/, /\.md5(mesh|anim)$/i],
  ["halfLife", "model", /^IDS[TQ]/],
  ["dpm", "model", /^DARKPLACESMODEL/, /\.dpm$/i],
  ["zym", "model", /^ZYMOTICMODEL/, /\.zym$/i],
  ["glm", "model", /^2LGM/, /\.glm$/i],
  ["fbx", "model", /^Kaydara FBX/, /\.fbx$/i],
  ["blend", "model", /^BLENDER/, /\.blend$/i],
  ["obj", "model", null, /\.obj$/i],
  ["collada", "model", null, /\.dae$/i],
  ["3ds", "model", /^MM[\s\S]{4}\x02\0/, /\.3ds$/i],
  ["rar", "archive", /^Rar!\x1a\x07/, /\.rar$/i],
  ["7z", "archive", /^7z\xbc\xaf\x27\x1c/, /\.7z$/i],
  ["gzip", "archive", /^\x1f\x8b/, /\.t?gz$/i],
  ["xz", "archive", /^\xfd7zXZ/, /\.t?xz$/i],
  ["tar", "archive", null, /\.tar$/i],
  ["zip", "renamed", /^PK\x03\x04/],
  ["pak", "renamed", /^PACK/],
  ["sprite", "other", /^IDS[P2]/, /\.sp[r2]$/i],
  ["map", "other", /^[IRFV]BSP/, /\.bsp$/i],
  ["wad", "other", /^WAD[23]/, /\.wad$/i],
  [
    "image",
    "image",
    /^(\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|BM|\x0a[\x02-\x05]\x01[\x01\x08])/s,
    /\.(pcx|png|jpe?g|tga|webp|gif|bmp|avif)$/i,
  ],
  ["skinFile", "image", null, /\.skin$/i],
];

async function readHead(source) {
  const bytes = source instanceof Blob ? new Uint8Array(await source.slice(0, 64).arrayBuffer())
    : source instanceof Uint8Array ? source.subarray(0, 64) : await source.read(0, Math.min(source.size, 64));
  return String.fromCharCode(...bytes);
}

// Says what a file is that is not a model: `source` has its content.
async function describeForeign(path, source) {
  const name = nameOf(path);
  if ((source.size ?? source.length) === 0) return T.emptyFile(name);
  const head = await readHead(source);
  const format =
    FOREIGN.find(([, , content]) => content?.test(head)) ?? FOREIGN.find(([, , , extension]) => extension?.test(name));
  return format ? T.foreign[format[1]](name, T.foreignFormats[format[0]]) : T.notModel(name);
}

/** Returns an error for files without models. `listed`: the archives among them, with their problems. */
export async function noModelsError(entries, listed) {
  const archive = listed.find((one) => ARCHIVE.test(one.path));
  const error = (message, details) => Object.assign(new LerpmeshError({ message }), { details });
  if (archive) return error(T.noModelsIn(nameOf(archive.path)), archive.problem);
  const texts = await Promise.all(entries.map(([path, source]) => describeForeign(path, source)));
  return error(
    entries.length === 1 ? texts[0] : T.noModels,
    entries.length === 1 ? null : texts.slice(0, 20).join("\n"),
  );
}
