// The tabs "problems" and "file": problems, layout and bytes of files.
import { check, examine, examineLump } from "./lib/index.js";
import { openTab, showMessage, show, sources, state } from "./app.js";
import { makeElement, makeTable } from "./elements.js";
import { makeIcon } from "./icons.js";
import { STRINGS as T } from "./strings_later.js";

const MAX_LISTED = 200;
const MAX_TABLE = 1 << 16; // characters
const [ROWS, COLUMNS] = [24, 8]; // of the visible bytes

const hex = (number, digits = 0) => number.toString(16).padStart(digits, "0");

// ---- Problems --------------------------------------------------------------------------------

// Makes two buttons for a problem: one marks and unmarks it on the model, one shows its byte.
function problemItem(source, problem, number) {
  const item = makeElement("li", undefined, { className: `problem ${problem.severity}` });
  const button = makeElement("button", problem.message, { className: "plain" });
  if (source.part) {
    button.setAttribute("aria-pressed", false);
    button.onclick = () => {
      const pressed = button.getAttribute("aria-pressed") !== "true";
      for (const other of document.querySelectorAll(".problem [aria-pressed]")) other.setAttribute("aria-pressed", other === button && pressed);
      mark(source.part, number, pressed ? 1 : 0).catch((error) => showMessage(error.message));
    };
  } else {
    button.disabled = true;
  }
  const byte = makeElement("button", `${problem.code}, ${T.atByte(problem.offset, problem.section)}`, { className: "byte" });
  byte.onclick = () => openBytes(source, problem.offset);
  item.append(makeIcon(problem.severity), button, byte);
  return item;
}

/** Marks a problem of a part on the model, and shows its frame; `count` 0: unmarks it. Returns Part.mark()'s triangles. */
export async function mark(part, number, count) {
  for (const other of state.model.parts) await other.mark(0, 0);
  const { frame, triangles, marks } = await part.mark(number, count);
  showMessage(count && frame < 0 && triangles === 0 ? T.noLocation : null);
  if (frame >= 0) {
    if (part.index === 0) show.play(null);
    show.playing = false;
    if (part.index === 0) show.seek(frame);
    else state.model.poseFrames(frame, frame, 0, part.index);
  }
  show.draw();
  return marks;
}

async function describeProblems(source) {
  const { problems, counts } = await check(await source.read());
  const list = makeElement("ul");
  list.append(...problems.slice(0, MAX_LISTED).map((problem, i) => problemItem(source, problem, i)));
  const more = problems.length - MAX_LISTED;
  if (more > 0) list.append(makeElement("li", T.more(more), { className: "quiet" }));
  return [makeElement("h2", source.title), makeElement("p", problems.length ? T.problemCounts(counts) : T.noProblems, { className: "quiet" }), list];
}

export const problemsPanel = async () => (await Promise.all(sources().map(describeProblems))).flat();

// ---- Layout ----------------------------------------------------------------------------------

/** Shows a file's bytes and highlights `size` of them at `offset`. */
export function openBytes(source, offset, size = 1, lump = null) {
  state.bytes = { path: source.path, offset, size, lump };
  openTab("file", true);
}

// Makes a table whose first cells are buttons that show bytes.
const table = (caption, heads, rows) =>
  makeTable(caption, heads, rows.map(({ cells: [first, ...others], open, selected }) => ({
    cells: [makeElement("button", first, { className: "byte", onclick: open }), ...others],
    selected,
  })));

function fieldTable(source, caption, fields) {
  return table(caption, T.fieldHeads, fields.map((field) => ({
    cells: [hex(field.offset, 4), field.name, field.value, field.meaning],
    open: () => openBytes(source, field.offset, typeof field.value === "string" ? Math.max(field.value.length, 1) : 4),
    selected: isAt(field.offset),
  })));
}

const isAt = (offset, name = null) => state.bytes?.offset === offset && state.bytes.lump === name;

function layoutTables(source, layout) {
  const lumps = table(T.lumps, T.lumpHeads, layout.lumps.map((lump) => ({
    cells: [lump.name, hex(lump.offset, 4), lump.count, lump.element_size, lump.outside ? T.outside : hex(lump.end, 4)],
    open: () => openBytes(source, lump.offset, lump.size, lump.name),
    selected: isAt(lump.offset, lump.name),
  })));
  const spans = table(T.spans, T.spanHeads, layout.spans.map((span) => ({
    cells: [hex(span.offset, 4), T.spanKinds[span.kind], span.size, [span.before, span.after].filter(Boolean).join(", ")],
    open: () => openBytes(source, span.offset, span.size),
    selected: isAt(span.offset),
  })));
  const headers = layout.lumps.filter((lump) => lump.fields).map((lump) => fieldTable(source, lump.name, lump.fields));
  return [lumps, ...(layout.spans.length ? [spans] : [makeElement("p", T.noSpans, { className: "quiet" })]), fieldTable(source, T.header, layout.fields), ...headers];
}

// ---- Bytes -----------------------------------------------------------------------------------

const printed = (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·");

// Makes rows of offset, bytes and characters, with `size` bytes at `offset` highlighted.
function hexRows(bytes, first, offset, size) {
  const text = makeElement("pre", undefined, { className: "hex", tabIndex: 0, ariaLabel: T.bytes });
  for (let at = first; at < Math.min(first + ROWS * COLUMNS, bytes.length); at += COLUMNS) {
    const row = [...bytes.subarray(at, at + COLUMNS)];
    text.append(`${hex(at, 8)}  `);
    row.forEach((byte, i) => {
      const inside = at + i >= offset && at + i < offset + size;
      text.append(inside ? makeElement("mark", hex(byte, 2)) : hex(byte, 2), " ");
    });
    text.append("   ".repeat(COLUMNS - row.length), " ", row.map(printed).join(""), "\n");
  }
  return text;
}

function hexView(bytes, { offset, size }) {
  const box = makeElement("div", undefined, { id: "hex" });
  const last = Math.max(bytes.length - 1, 0);
  let first = 0;
  const go = (to) => {
    first = Math.floor(Math.min(Math.max(to, 0), last) / COLUMNS) * COLUMNS;
    box.lastChild.replaceWith(hexRows(bytes, first, offset, size));
    input.value = `0x${hex(first)}`;
  };
  const input = makeElement("input", undefined, { type: "text", ariaLabel: T.goToByte, spellcheck: false, size: 10 });
  input.onchange = () => go(Number(input.value) || 0);
  const button = (text, label, by) => makeElement("button", text, { ariaLabel: label, onclick: () => go(first + by * ROWS * COLUMNS) });
  const bar = makeElement("div", undefined, { className: "bar" });
  bar.append(button("‹", T.previousBytes, -1), input, button("›", T.nextBytes, 1), makeElement("span", T.ofBytes(bytes.length), { className: "quiet" }));
  box.append(bar, makeElement("pre"));
  go(offset - 2 * COLUMNS);
  return box;
}

async function lumpTable(bytes, lump) {
  try {
    const text = await examineLump(bytes, lump);
    const short = text.length > MAX_TABLE ? `${text.slice(0, text.lastIndexOf("\n", MAX_TABLE))}\n…` : text;
    return makeElement("pre", short, { tabIndex: 0, className: "lump" });
  } catch (error) {
    return makeElement("p", error.message, { className: "quiet" });
  }
}

export async function filePanel() {
  const all = sources();
  const source = all.find((one) => one.path === state.bytes?.path) ?? all[0];
  if (!source) return [makeElement("p", T.nothingOpen, { className: "quiet" })];
  if (source.path !== state.bytes?.path) state.bytes = { path: source.path, offset: 0, size: 0, lump: null };
  const which = makeElement("select", undefined, { ariaLabel: T.whichFile });
  which.append(...all.map((one) => new Option(one.title, one.path, false, one === source)));
  which.onchange = () => openBytes(all.find((one) => one.path === which.value), 0, 0);
  const bytes = await source.read();
  const found = [all.length > 1 ? which : makeElement("h2", source.title), hexView(bytes, state.bytes)];
  if (state.bytes.lump) found.push(makeElement("h2", state.bytes.lump), await lumpTable(bytes, state.bytes.lump));
  try {
    found.push(...layoutTables(source, await examine(bytes)));
  } catch (error) {
    found.push(makeElement("p", error.message, { className: "quiet" }));
  }
  return found;
}
