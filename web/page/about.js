// The tab "model": parts with their surfaces, clips, tags and textures.
import { playClip, state, titleOf, titleOfPath } from "./app.js";
import { make, makeTable } from "./make.js";
import { STRINGS as T } from "./strings.js";

// Returns width, depth and height of the bounds of all frames.
function sizeOf(part) {
  const { min, max } = part.bounds();
  return min.map((from, i) => Number((max[i] - from).toPrecision(4)));
}

function facts(part) {
  const { format, version, bytes, header, gl_commands: commands } = part.info;
  const found = make("dl", undefined, { className: "facts" });
  const add = (name, text) => text && found.append(make("dt", name), make("dd", text));
  add(T.format, T.formatOf(format, version));
  add(T.size, T.bytesOf(bytes));
  add(T.frames, T.number(part.frames));
  if (part.surfaces.length) add(T.extent, T.extentOf(...sizeOf(part)));
  add(T.skinSize, header.skinwidth && T.pixelsOf(header.skinwidth, header.skinheight));
  add(T.commands, commands.integers && T.commandsOf(commands.strips, commands.fans));
  return found;
}

function surfaceTable({ surfaces }) {
  const columns = surfaces.some(({ materials }) => materials.length) ? 4 : 3;
  const wrapping = (text) => make("span", text, { className: "wrapping" });
  return makeTable(T.surfaces, T.surfaceHeads.slice(0, columns), surfaces.map(({ name, vertices, triangles, materials }, i) => ({
    cells: [wrapping(name || T.surfaceOf(i + 1)), vertices, triangles, wrapping(materials.join(", "))].slice(0, columns),
  })));
}

const clipTable = (part, clips) =>
  makeTable(T.clips, T.clipHeads, clips.map(({ name, first, count, fps, duration, loopFrames }) => ({
    cells: [
      make("button", name, { className: "byte", title: T.playClip(name), onclick: () => playClip(part, name) }),
      T.framesOf(first, first + count - 1), fps && Number(fps.toPrecision(4)), Number(duration.toFixed(2)), loopFrames ? T.loops : T.once,
    ],
  })));

function list(title, items) {
  const element = make("ul", undefined, { className: "named" });
  element.append(...items);
  return [make("h3", title), element];
}

function textureItem({ name, found, tried, shader }) {
  const item = make("li", name);
  const says = found ? T.foundAt(found) : T.notFound(tried.length);
  item.append(make("span", says, { className: found || shader ? "quiet" : "lacking" }));
  if (shader) item.append(make("span", T.scriptOf(shader.script, shader.line), { className: "quiet" }));
  return item;
}

function partOf(part) {
  const { model } = state;
  const { tags, textures, warnings, file } = part.info;
  const clips = model.clips.filter((clip) => clip.part === part.index);
  const named = (one) => make("li", one);
  return [
    ...(model.parts.length > 1 ? [make("h2", part.name || titleOfPath(file))] : []),
    facts(part),
    ...(part.surfaces.length ? [surfaceTable(part)] : []),
    ...(clips.length ? [clipTable(part, clips)] : []),
    ...(tags.length ? list(T.tags, tags.map(named)) : []),
    ...(textures.length ? list(T.textures, textures.map(textureItem)) : []),
    ...(warnings.length ? list(T.warnings, warnings.map(({ message }) => named(message))) : []),
  ];
}

export function aboutPanel() {
  const { model, imported } = state;
  const said = [...(imported ?? []), ...model.findings.map(({ message }) => message)];
  return [make("h2", titleOf()), ...model.parts.flatMap(partOf), ...said.map((text) => make("p", text, { className: "quiet" }))];
}
