// The tabs "model", "problems", "file" and "uv": parts, problems, layout and bytes of files, and texture coordinates.
import { check, examine, examineLump } from "../lib/index.js";
import { makeElement, makeIcon, makeNote } from "./elements.js";
import { nameOf, titleOfPath } from "./files.js";
import { formatOf, openTab, playback, show, showMessage, state, titleOf } from "./state.js";
import { STRINGS as T } from "./strings_later.js";

const MAX_LISTED = 200;
const MAX_TABLE = 1 << 16; // characters
const [ROWS, COLUMNS] = [24, 8]; // of the visible bytes

const hex = (byte) => byte.toString(16).padStart(2, "0");

// Returns the files of the current model, or the one that failed to open: { path, title, part, read() }.
function sources() {
  const parts = state.model?.parts ?? (state.entry ? [{ path: state.entry.path }] : []);
  const { files } = state;
  return parts.map((part) => ({
    path: part.path,
    title: nameOf(part.path),
    part: state.model && part,
    read: () => files.read(part.path),
  }));
}

// Makes a table that scrolls if it is too wide. `rows`: { cells, selected }; a cell is a text, a number (right-aligned)
// or an element.
function makeTable(caption, heads, rows) {
  const content = (cell) => (Number.isInteger(cell) ? String(cell) : typeof cell === "number" ? T.number(cell) : cell);
  const row = (tag, cells, properties, scope) => makeElement("tr", properties, cells.map((cell, i) =>
    makeElement(tag, { className: typeof rows[0]?.cells[i] === "number" ? "number" : "", ...scope }, content(cell))));
  return makeElement("div", { className: "wide", tabIndex: 0 }, makeElement("table", {},
    makeElement("caption", {}, caption),
    row("th", heads, {}, { scope: "col" }),
    rows.map(({ cells, selected }) => row("td", cells, { className: selected ? "selected" : "" })),
  ));
}

// ---- Models: parts with their surfaces, clips, tags and textures ------------------------------

// Returns width, depth and height of the bounds of all frames.
function sizeOf(part) {
  const { min, max } = part.bounds();
  return min.map((from, i) => Number((max[i] - from).toPrecision(4)));
}

function factList(part) {
  const { format, version, bytes, header, gl_commands: commands } = part.info;
  const shown = T.formatOf(format, version);
  const facts = [
    [T.format, state.imported && part.index === 0 ? T.shownAs(formatOf().toUpperCase(), shown) : shown],
    [T.size, T.bytesOf(bytes)],
    [T.frames, T.number(part.frames)],
    [T.extent, part.surfaces.length && T.extentOf(...sizeOf(part))],
    [T.skinSize, header.skinwidth && T.pixelsOf(header.skinwidth, header.skinheight)],
    [T.commands, commands.integers && T.commandsOf(commands.strips, commands.fans)],
  ];
  return makeElement("dl", { className: "facts" }, facts.filter(([, text]) => text)
    .map(([name, text]) => makeElement("div", {}, makeElement("dt", {}, name), makeElement("dd", {}, text))));
}

function surfaceTable({ surfaces }) {
  const columns = surfaces.some(({ materials }) => materials.length) ? 4 : 3;
  const wrapping = (text, className = "wrapping") => makeElement("span", { className }, text);
  return makeTable(
    T.surfaces,
    T.surfaceHeads.slice(0, columns),
    surfaces.map(({ name, vertices, triangles, materials }, i) => ({
      cells: [wrapping(name || T.surfaceOf(i + 1), "name"), vertices, triangles, wrapping(materials.join(", "))].slice(
        0,
        columns,
      ),
    })),
  );
}

const clipTable = (part, all) =>
  makeTable(
    T.clips,
    T.clipHeads,
    all.map(({ name, first, count, fps, duration, loopFrames }) => ({
      cells: [
        makeElement(
          "button",
          { className: "byte", title: T.playClip(name), onclick: () => playback.clips.choose(part, name) },
          name,
        ),
        T.framesOf(first, first + count - 1),
        fps && Number(fps.toPrecision(4)),
        Number(duration.toFixed(2)),
        loopFrames ? T.loops : T.playsOnce,
      ],
    })),
  );

const namedList = (title, items) =>
  items.length > 0 && [makeElement("h3", {}, title), makeElement("ul", { className: "named" }, items)];

function textureItem({ name, found, tried, shader }) {
  const quiet = (text) => makeElement("span", { className: "quiet" }, text);
  if (!found && !shader) return makeElement("li", { className: "missing" }, T.textureNotFound(name, tried.length));
  return makeElement(
    "li",
    {},
    name,
    found && quiet(T.foundAt(found)),
    shader && quiet(T.shaderAt(shader.script, shader.line)),
  );
}

function describePart(part) {
  const { model } = state;
  const { tags, textures, warnings, file } = part.info;
  const own = model.clips.filter((clip) => clip.part === part.index);
  const item = (text) => makeElement("li", {}, text);
  const title = T.parts[part.name] ?? (part.name || titleOfPath(file));
  const content = [
    factList(part),
    part.surfaces.length > 0 && surfaceTable(part),
    own.length > 0 && part.frames > 1 && clipTable(part, own),
    namedList(T.tags, tags.map(item)),
    namedList(T.textures, textures.map(textureItem)),
    namedList(T.warnings, warnings.map(({ message }) => item(message))),
  ].flat().filter(Boolean);
  if (model.parts.length === 1) return content;
  const summary = makeElement("summary", {}, title, makeElement("small", {}, titleOfPath(file)));
  return [makeElement("details", { className: "part", open: part.index === 0 }, summary, content)];
}

export function modelPanel() {
  const { model, imported } = state;
  const messages = [...(imported ?? []), ...model.diagnostics.map(({ message }) => message)];
  return [makeElement("h2", {}, titleOf()), ...model.parts.flatMap(describePart), ...messages.map(makeNote)];
}

// ---- Problems --------------------------------------------------------------------------------

// Makes two buttons for a problem: one marks and unmarks it on the model, one shows its byte.
function problemItem(source, problem, number) {
  const button = makeElement(
    "button",
    { className: "plain", disabled: !source.part, ariaPressed: source.part ? "false" : null },
    problem.message,
  );
  button.onclick = () => {
    const pressed = button.ariaPressed !== "true";
    for (const other of document.querySelectorAll(".problem [aria-pressed]"))
      other.ariaPressed = String(other === button && pressed);
    mark(source.part, number, pressed ? 1 : 0).catch((error) => showMessage(error.message));
  };
  const place = `${problem.code}, ${T.atByte(problem.offset, problem.section)}`;
  const byte = makeElement("button", { className: "byte", onclick: () => openBytes(source, problem.offset) }, place);
  return makeElement("li", { className: `problem ${problem.severity}` }, makeIcon(problem.severity), button, byte);
}

// Marks a problem of a part on the model, and shows its frame; `count` 0: unmarks it. Returns Part.mark()'s triangles.
async function mark(part, number, count) {
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
  const more = problems.length - MAX_LISTED;
  return [
    makeElement("h2", {}, source.title),
    makeNote(problems.length ? T.problemCounts(counts) : T.noProblems),
    makeElement("ul", {}, problems.slice(0, MAX_LISTED).map((problem, i) => problemItem(source, problem, i)),
      more > 0 && makeElement("li", { className: "quiet" }, T.more(more))),
  ];
}

export const problemsPanel = async () => (await Promise.all(sources().map(describeProblems))).flat();

// ---- Layout ----------------------------------------------------------------------------------

// Shows a file's bytes and highlights `size` of them at `offset`.
function openBytes(source, offset, size = 1, lump = null) {
  state.bytes = { path: source.path, offset, size, lump };
  openTab("file", true);
}

// Makes a table whose first cells are buttons that show bytes.
const table = (caption, heads, rows) =>
  makeTable(caption, heads, rows.map(({ cells: [first, ...others], open, selected }) => ({
    cells: [makeElement("button", { className: "byte", onclick: open }, first), ...others],
    selected,
  })));

function fieldTable(source, caption, fields) {
  return table(caption, T.fieldHeads, fields.map((field) => ({
    cells: [field.offset, field.name, field.value, field.meaning],
    open: () => openBytes(source, field.offset, typeof field.value === "string" ? Math.max(field.value.length, 1) : 4),
    selected: isAt(field.offset),
  })));
}

const isAt = (offset, name = null) => state.bytes?.offset === offset && state.bytes.lump === name;

function layoutTables(source, layout) {
  const lumps = table(T.lumps, T.lumpHeads, layout.lumps.map((lump) => ({
    cells: [lump.name, lump.offset, lump.count, lump.element_size, lump.outside ? T.outside : lump.end],
    open: () => openBytes(source, lump.offset, lump.size, lump.name),
    selected: isAt(lump.offset, lump.name),
  })));
  const spans = table(T.spans, T.spanHeads, layout.spans.map((span) => ({
    cells: [span.offset, T.spanKinds[span.kind], span.size, [span.before, span.after].filter(Boolean).join(", ")],
    open: () => openBytes(source, span.offset, span.size),
    selected: isAt(span.offset),
  })));
  const headers = layout.lumps.filter((lump) => lump.fields).map((lump) => fieldTable(source, lump.name, lump.fields));
  return [
    lumps,
    layout.spans.length ? spans : makeNote(T.noSpans),
    fieldTable(source, T.header, layout.fields),
    ...headers,
  ];
}

// ---- Bytes -----------------------------------------------------------------------------------

const printed = (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·");

// Makes rows of offset, bytes and characters, with `size` bytes at `offset` highlighted.
function hexRows(bytes, first, offset, size) {
  const text = makeElement("pre", { className: "hex", tabIndex: 0, ariaLabel: T.bytes });
  for (let at = first; at < Math.min(first + ROWS * COLUMNS, bytes.length); at += COLUMNS) {
    const row = [...bytes.subarray(at, at + COLUMNS)];
    text.append(`${String(at).padStart(8)}  `);
    row.forEach((byte, i) => {
      const inside = at + i >= offset && at + i < offset + size;
      text.append(inside ? makeElement("mark", {}, hex(byte)) : hex(byte), " ");
    });
    text.append("   ".repeat(COLUMNS - row.length), " ", row.map(printed).join(""), "\n");
  }
  return text;
}

function hexView(bytes, { offset, size }) {
  const last = Math.max(bytes.length - 1, 0);
  let first = 0;
  const go = (to) => {
    first = Math.floor(Math.min(Math.max(to, 0), last) / COLUMNS) * COLUMNS;
    box.lastChild.replaceWith(hexRows(bytes, first, offset, size));
    input.value = String(first);
  };
  const input = makeElement("input", {
    type: "text",
    ariaLabel: T.goToByte,
    spellcheck: false,
    size: 10,
    onchange: () => go(Number(input.value) || 0),
  });
  const button = (text, ariaLabel, by) =>
    makeElement("button", { ariaLabel, onclick: () => go(first + by * ROWS * COLUMNS) }, text);
  const all = makeElement("span", { className: "quiet" }, T.ofBytes(bytes.length));
  const bar = makeElement(
    "div",
    { className: "bar" },
    button("‹", T.previousBytes, -1),
    input,
    button("›", T.nextBytes, 1),
    all,
  );
  const box = makeElement("div", { id: "hex" }, bar, makeElement("pre"));
  go(offset - 2 * COLUMNS);
  return box;
}

async function lumpTable(bytes, lump) {
  try {
    const text = await examineLump(bytes, lump);
    const short = text.length > MAX_TABLE ? `${text.slice(0, text.lastIndexOf("\n", MAX_TABLE))}\n…` : text;
    return makeElement("pre", { tabIndex: 0, className: "lump" }, short);
  } catch (error) {
    return makeNote(error.message);
  }
}

export async function filePanel() {
  const all = sources();
  const source = all.find((one) => one.path === state.bytes?.path) ?? all[0];
  if (!source) return [makeNote(T.nothingOpen)];
  if (source.path !== state.bytes?.path) state.bytes = { path: source.path, offset: 0, size: 0, lump: null };
  const which = makeElement(
    "select",
    { ariaLabel: T.whichFile },
    all.map((one) => new Option(one.title, one.path, false, one === source)),
  );
  which.onchange = () =>
    openBytes(
      all.find((one) => one.path === which.value),
      0,
      0,
    );
  const bytes = await source.read();
  const found = [all.length > 1 ? which : makeElement("h2", {}, source.title), hexView(bytes, state.bytes)];
  if (state.bytes.lump) found.push(makeElement("h2", {}, state.bytes.lump), await lumpTable(bytes, state.bytes.lump));
  try {
    found.push(...layoutTables(source, await examine(bytes)));
  } catch (error) {
    found.push(makeNote(error.message));
  }
  return found;
}

// ---- Texture coordinates ---------------------------------------------------------------------

const MARGIN = 0.02; // of the image, relative to the texture's larger side
const EDGE = 1e-3; // tolerance for texture coordinates at the texture's edge

// Draws the triangles that mark() found in a surface. Texture coordinates outside of the texture are not where the
// image shows them, so such surfaces get no marks.
function drawMarks(canvas, surface, marks) {
  const { st } = surface;
  if (!st.every((value) => value >= -EDGE && value <= 1 + EDGE)) return;
  const scale = Math.max(canvas.width, canvas.height) / (1 + 2 * MARGIN);
  const [width, height] = [canvas.width, canvas.height].map((side) => side - 2 * MARGIN * scale);
  const context = canvas.getContext("2d");
  Object.assign(context, { fillStyle: "#ff4f87aa", strokeStyle: "#ff4f87", lineWidth: 5, lineJoin: "round" });
  for (let i = 0; i < marks.length; i += 4) {
    if (marks[i] !== surface.index) continue;
    context.beginPath();
    for (const vertex of marks.slice(i + 1, i + 4))
      context.lineTo(st[2 * vertex] * width + MARGIN * scale, st[2 * vertex + 1] * height + MARGIN * scale);
    context.closePath();
    context.fill();
    context.stroke();
  }
}

// Makes a list of the problems of a surface's file. `draw` gets the triangles of the chosen one.
async function problemList(surface, draw) {
  const { problems } = await surface.part.check();
  const options = problems.map(({ message }, i) => new Option(message, i));
  const list = makeElement(
    "select",
    { ariaLabel: T.uvMark, hidden: problems.length === 0 },
    new Option(T.uvMark, ""),
    options,
  );
  list.onchange = () =>
    mark(surface.part, Number(list.value), list.value ? 1 : 0)
      .then(draw)
      .catch((error) => showMessage(error.message));
  return list;
}

export async function uvPanel() {
  const surfaces = state.model.parts.flatMap((part) => part.surfaces.filter((one) => one.triangles > 0));
  if (surfaces.length === 0) return [makeNote(T.noSurfaces)];
  const options = surfaces.map(({ part, name }, i) => new Option([part.name, name].filter(Boolean).join(", "), i));
  const list = makeElement("select", { ariaLabel: T.surface, hidden: surfaces.length < 2 }, options);
  const canvas = makeElement("canvas", { className: "uv", role: "img", ariaLabel: T.uvMap });
  const size = makeNote();
  const problems = makeElement("div");
  const draw = async (marks = []) => {
    const surface = surfaces[list.value];
    const { width, height, pixels } = await surface.uvMap();
    Object.assign(canvas, { width, height });
    canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
    drawMarks(canvas, surface, marks);
    size.textContent = T.uvOf(surface.triangles, surface.materials);
  };
  const choose = async () => {
    await draw();
    problems.replaceChildren(await problemList(surfaces[list.value], draw));
  };
  list.onchange = () => choose().catch((error) => showMessage(error.message));
  await choose();
  return [list, canvas, size, problems];
}
