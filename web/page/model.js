// The tab "model": parts with their surfaces, clips, tags and textures.
import { playClip, state, titleOf, titleOfPath } from "./app.js";
import { makeElement, makeTable } from "./elements.js";
import { STRINGS as T } from "./strings.js";

// Returns width, depth and height of the bounds of all frames.
function sizeOf(part) {
  const { min, max } = part.bounds();
  return min.map((from, i) => Number((max[i] - from).toPrecision(4)));
}

function factList(part) {
  const { format, version, bytes, header, gl_commands: commands } = part.info;
  const list = makeElement("dl", undefined, { className: "facts" });
  const add = (name, text) => {
    const fact = makeElement("div");
    fact.append(makeElement("dt", name), makeElement("dd", text));
    if (text) list.append(fact);
  };
  add(T.format, T.formatOf(format, version));
  add(T.size, T.bytesOf(bytes));
  add(T.frames, T.number(part.frames));
  if (part.surfaces.length) add(T.extent, T.extentOf(...sizeOf(part)));
  add(T.skinSize, header.skinwidth && T.pixelsOf(header.skinwidth, header.skinheight));
  add(T.commands, commands.integers && T.commandsOf(commands.strips, commands.fans));
  return list;
}

function surfaceTable({ surfaces }) {
  const columns = surfaces.some(({ materials }) => materials.length) ? 4 : 3;
  const wrapping = (text, className = "wrapping") => makeElement("span", text, { className });
  return makeTable(T.surfaces, T.surfaceHeads.slice(0, columns), surfaces.map(({ name, vertices, triangles, materials }, i) => ({
    cells: [wrapping(name || T.surfaceOf(i + 1), "name"), vertices, triangles, wrapping(materials.join(", "))].slice(0, columns),
  })));
}

const clipTable = (part, clips) =>
  makeTable(T.clips, T.clipHeads, clips.map(({ name, first, count, fps, duration, loopFrames }) => ({
    cells: [
      makeElement("button", name, { className: "byte", title: T.playClip(name), onclick: () => playClip(part, name) }),
      T.framesOf(first, first + count - 1), fps && Number(fps.toPrecision(4)), Number(duration.toFixed(2)), loopFrames ? T.loops : T.playsOnce,
    ],
  })));

function namedList(title, items) {
  const element = makeElement("ul", undefined, { className: "named" });
  element.append(...items);
  return [makeElement("h3", title), element];
}

function textureItem({ name, found, tried, shader }) {
  const item = makeElement("li", found || shader ? name : T.textureNotFound(name, tried.length));
  if (found) item.append(makeElement("span", T.foundAt(found), { className: "quiet" }));
  else if (!shader) item.className = "missing";
  if (shader) item.append(makeElement("span", T.shaderAt(shader.script, shader.line), { className: "quiet" }));
  return item;
}

function describePart(part) {
  const { model } = state;
  const { tags, textures, warnings, file } = part.info;
  const clips = model.clips.filter((clip) => clip.part === part.index);
  const item = (text) => makeElement("li", text);
  const title = T.parts[part.name] ?? (part.name || titleOfPath(file));
  const content = [
    factList(part),
    ...(part.surfaces.length ? [surfaceTable(part)] : []),
    ...(clips.length ? [clipTable(part, clips)] : []),
    ...(tags.length ? namedList(T.tags, tags.map(item)) : []),
    ...(textures.length ? namedList(T.textures, textures.map(textureItem)) : []),
    ...(warnings.length ? namedList(T.warnings, warnings.map(({ message }) => item(message))) : []),
  ];
  if (model.parts.length === 1) return content;
  const box = makeElement("details", undefined, { className: "part", open: part.index === 0 });
  const summary = makeElement("summary", title);
  summary.append(makeElement("small", titleOfPath(file)));
  box.append(summary, ...content);
  return [box];
}

export function modelPanel() {
  const { model, imported } = state;
  const messages = [...(imported ?? []), ...model.diagnostics.map(({ message }) => message)];
  return [makeElement("h2", titleOf()), ...model.parts.flatMap(describePart), ...messages.map((text) => makeElement("p", text, { className: "quiet" }))];
}
