// The light and the backdrop: their controls, which "more controls" opens, and the parts of links that set them.
import { ENVIRONMENTS, loadEnvironment } from "../lib/environment.js";
import { makeSelect } from "./elements.js";
import { backdropOf } from "./library.js";
import { $, show, showError, state } from "./state.js";
import { STRINGS as T } from "./strings_later.js";

const EXPOSURES = [0.25, 0.5, 1, 2, 4];
const BACKDROPS = ["studio", "light", "dark", "none"];

// Lights the model by an environment; null: by lamps.
async function setEnvironment(name) {
  state.environment = name;
  show.set({ environment: name && (await loadEnvironment(name)) });
}

// Shows a backdrop; null: that of the theme.
function setBackdrop(name) {
  state.backdrop = name;
  show.set(backdropOf(name));
}

function makeField(caption, options, onchange) {
  const { field, select } = makeSelect(caption, options, { caption });
  select.onchange = () => onchange(select.value || null);
  $("light").append(field);
  return select;
}

const named = (texts, names) => [new Option(texts.usual, ""), ...names.map((name) => new Option(texts[name], name))];
const environment = makeField(T.light, named(T.lights, ENVIRONMENTS), (name) => setEnvironment(name).catch(showError));
const exposure = makeField(T.exposure, EXPOSURES.map((factor) => new Option(T.speedOf(factor), factor)), (factor) =>
  show.set({ exposure: Number(factor) }));
const backdrop = makeField(T.backdrop, named(T.backdrops, BACKDROPS), setBackdrop);

function refresh() {
  environment.value = state.environment ?? "";
  backdrop.value = state.backdrop ?? "";
  const factor = show.options.exposure ?? 1;
  if (![...exposure.options].some(({ value }) => Number(value) === factor)) // of a link
    exposure.append(new Option(T.speedOf(factor), factor));
  exposure.value = factor;
  environment.disabled = exposure.disabled = show.options.shade !== "studio";
}
show.addEventListener("change", refresh);
refresh();

/** Sets what a link names; null: nothing. Adds to `ignored` what does not exist. */
export async function applyLight(link, ignored) {
  const isKnown = (part, names) => {
    const known = names.includes(link[part]);
    if (!known && link[part] !== null) ignored.push(T.ignoredChoice(`${part}=${link[part]}`, names.join(", ")));
    return known;
  };
  if (isKnown("environment", ENVIRONMENTS)) await setEnvironment(link.environment);
  if (isKnown("background", BACKDROPS)) setBackdrop(link.background);
  const factor = Number(link.exposure ?? NaN);
  if (factor >= 0 && factor < Infinity) show.set({ exposure: factor });
  else if (link.exposure !== null) ignored.push(T.ignoredChoice(`exposure=${link.exposure}`, EXPOSURES.join(", ")));
}
