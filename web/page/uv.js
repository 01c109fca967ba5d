// The tab "uv": texture coordinates over the texture.
import { showMessage, state } from "./app.js";
import { makeElement } from "./elements.js";
import { STRINGS as T } from "./strings.js";

export async function uvPanel() {
  const surfaces = state.model.parts.flatMap((part) => part.surfaces.filter((one) => one.triangles > 0));
  if (surfaces.length === 0) return [makeElement("p", T.noSurfaces, { className: "quiet" })];
  const list = makeElement("select", undefined, { ariaLabel: T.surface, hidden: surfaces.length < 2 });
  list.append(...surfaces.map(({ part, name }, i) => new Option([part.name, name].filter(Boolean).join(", "), i)));
  const canvas = makeElement("canvas", undefined, { className: "uv", role: "img", ariaLabel: T.uvMap });
  const size = makeElement("p", undefined, { className: "quiet" });
  const draw = async () => {
    const surface = surfaces[list.value];
    const { width, height, pixels } = await surface.uvMap();
    Object.assign(canvas, { width, height });
    canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
    size.textContent = T.uvOf(surface.triangles, surface.materials);
  };
  list.onchange = () => draw().catch((error) => showMessage(error.message));
  await draw();
  return [list, canvas, size];
}
