// The tab "uv": texture coordinates over the texture, with the location of a problem.
import { showMessage, state } from "./app.js";
import { makeElement } from "./elements.js";
import { mark } from "./inspect.js";
import { STRINGS as T } from "./strings_later.js";

const MARGIN = 0.02; // of the image, relative to the texture's larger side
const EDGE = 1e-3; // tolerance for texture coordinates at the texture's edge

// Draws the triangles that mark() found in a surface. Texture coordinates outside of the texture are not where the image
// shows them, so such surfaces get no marks.
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
    for (const vertex of marks.slice(i + 1, i + 4)) context.lineTo(st[2 * vertex] * width + MARGIN * scale, st[2 * vertex + 1] * height + MARGIN * scale);
    context.closePath();
    context.fill();
    context.stroke();
  }
}

// Makes a list of the problems of a surface's file. `draw` gets the triangles of the chosen one.
async function problemList(surface, draw) {
  const { problems } = await surface.part.check();
  const list = makeElement("select", undefined, { ariaLabel: T.uvMark, hidden: problems.length === 0 });
  list.append(new Option(T.uvMark, ""), ...problems.map(({ message }, i) => new Option(message, i)));
  list.onchange = () => mark(surface.part, Number(list.value), list.value ? 1 : 0).then(draw).catch((error) => showMessage(error.message));
  return list;
}

export async function uvPanel() {
  const surfaces = state.model.parts.flatMap((part) => part.surfaces.filter((one) => one.triangles > 0));
  if (surfaces.length === 0) return [makeElement("p", T.noSurfaces, { className: "quiet" })];
  const list = makeElement("select", undefined, { ariaLabel: T.surface, hidden: surfaces.length < 2 });
  list.append(...surfaces.map(({ part, name }, i) => new Option([part.name, name].filter(Boolean).join(", "), i)));
  const canvas = makeElement("canvas", undefined, { className: "uv", role: "img", ariaLabel: T.uvMap });
  const size = makeElement("p", undefined, { className: "quiet" });
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
