// web_split.mjs ALL FIRST OUT_FIRST OUT_SECOND FEATURES…: splits the module linked from all objects (ALL.raw, without
// names, and the linker's ALL.map) in two. The first module has the functions and constants of a link of the first
// objects alone (FIRST.map). The second has the rest, and shares the first one's memory, table and functions.
// wasm-split divides the functions but leaves all constants in the first module, so this script divides the constants.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const [, , all, first, outFirst, outSecond, ...features] = process.argv;

// Parses a linker map: { code: [name], data: [{ name, at, size }] }, each name "OBJECT:(SYMBOL)".
function readMap(path) {
  const found = { code: [], data: [] };
  let section = "";
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [, address, size, indent, name] = /^\s*(\S+)\s+[0-9a-f]+\s+([0-9a-f]+)( +)(\S.*)$/.exec(line) ?? [];
    if (!name) continue;
    if (indent.length === 1 && !/^[.]/.test(name)) section = name;
    else if (!/:\(.*\)$/.test(name)) continue;
    else if (section === "CODE") found.code.push(name);
    else if (section === "DATA") found.data.push({ name, at: parseInt(address, 16), size: parseInt(size, 16) });
  }
  return found;
}

// ---- Modules -------------------------------------------------------------------------------------

const DATA = 11;
const DATA_COUNT = 12;

function readNumber(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

function number(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

// The operand of i32.const is signed.
function address(value) {
  const bytes = [];
  for (; value >= 64; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([0x41, ...bytes, value, 0x0b]);
}

function readAddress(bytes, at) {
  if (bytes[at] !== 0 || bytes[at + 1] !== 0x41) throw new Error("a segment has no fixed address");
  const [value, end] = readNumber(bytes, at + 2);
  return [value, end + 1];
}

/** Returns [{ id, body }]. */
function readSections(path) {
  const bytes = readFileSync(path);
  const sections = [];
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [size, begin] = readNumber(bytes, at + 1);
    sections.push({ id, body: bytes.subarray(begin, begin + size) });
    at = begin + size;
  }
  return sections;
}

function writeSections(path, sections) {
  const parts = sections.flatMap(({ id, body }) => [Buffer.from([id]), number(body.length), body]);
  writeFileSync(path, Buffer.concat([Buffer.from("\0asm\x01\0\0\0", "latin1"), ...parts]));
}

/** Returns [{ at, bytes }]. */
function readSegments(body) {
  const segments = [];
  let [count, at] = readNumber(body, 0);
  for (; count > 0; count--) {
    const [start, after] = readAddress(body, at);
    const [size, begin] = readNumber(body, after);
    segments.push({ at: start, bytes: body.subarray(begin, begin + size) });
    at = begin + size;
  }
  return segments;
}

const segmentsSection = (segments) => ({
  id: DATA,
  body: Buffer.concat([
    number(segments.length),
    ...segments.flatMap(({ at, bytes }) => [Buffer.from([0]), address(at), number(bytes.length), bytes]),
  ]),
});

// ---- Splitting -----------------------------------------------------------------------------------

const complete = readMap(`${all}.map`);
const firstOnly = readMap(`${first}.map`);
const functions = new Set(firstOnly.code);
const keptFunctions = complete.code.flatMap((name, index) => (functions.has(name) ? [index] : []));
if (keptFunctions.length !== functions.size || new Set(complete.code).size !== complete.code.length)
  throw new Error("the maps do not match");
writeFileSync(`${all}.kept`, keptFunctions.join("\n"));
// The modules import from each other under this name, so that modules of different builds do not match.
const build = createHash("sha256")
  .update(readFileSync(`${all}.raw`))
  .digest("hex")
  .slice(0, 8);
execFileSync("wasm-split", [
  ...features,
  "--split",
  `${all}.raw`,
  `--keep-funcs=@${all}.kept`,
  "-o1",
  outFirst,
  "-o2",
  outSecond,
  "--export-prefix=%",
  `--import-namespace=${build}`,
  `--placeholder-namespace=${build}`,
]);

// Each constant goes to the module that uses it. Padding belongs to the first module, which fills it with zeros.
const constants = new Set(firstOnly.data.map(({ name }) => name));
const SHORT = 16; // a separate run costs as much as these bytes
const runs = [];
for (const { name, at, size } of complete.data.sort((a, b) => a.at - b.at)) {
  const inFirst = constants.has(name);
  const last = runs.at(-1);
  if (last && (last.inFirst === inFirst || (last.inFirst && size < SHORT))) last.end = at + size;
  else runs.push({ inFirst, at, end: at + size });
}
const sections = readSections(outFirst);
const segments = readSegments(sections.find(({ id }) => id === DATA).body);
const select = (inFirst) => runs.filter((run) => run.inFirst === inFirst).flatMap(({ at, end }) =>
  segments.filter((one) => one.at < end && at < one.at + one.bytes.length).map((one) => {
    const begin = Math.max(at, one.at);
    return { at: begin, bytes: one.bytes.subarray(begin - one.at, Math.min(end - one.at, one.bytes.length)) };
  }));
const withoutData = (list) => list.filter(({ id }) => id !== DATA && id !== DATA_COUNT);
writeSections(outFirst, [...withoutData(sections), segmentsSection(select(true))]);
writeSections(outSecond, [...withoutData(readSections(outSecond)), segmentsSection(select(false))]);
