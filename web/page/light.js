// The light and the backdrop: their controls, which "more controls" opens, and the parts of links that set them.
import { ENVIRONMENTS, loadEnvironment } from "../lib/environment.js";
import { nameOfUrl } from "../lib/input.js";
import { BACKDROPS } from "../lib/show.js";
import { makeIconButton, makeSelect, withFiles } from "./elements.js";
import { backdropOf } from "./library.js";
import { $, show, showError, state } from "./state.js";
import { STRINGS as T } from "./strings_later.js";

const EXPOSURES = [0.25, 0.5, 1, 2, 4];

const IMAGE = "image"; // the choice of the image
let image = null; // that was the light at last: its URL, or a File
let loads = 0; // number of the latest load

// Lights the model by an environment: a name, the URL of an image, or a File; null: by lamps.
async function setEnvironment(source) {
  const load = ++loads;
  const environment = source && (await loadEnvironment(source));
  if (load !== loads) return;
  if (source && !ENVIRONMENTS.includes(source)) image = source;
  state.environment = source;
  show.set({ environment });
}

/** Lights the model by an image of the user's: one of [path, File] each. */
export async function lightBy([chosen]) {
  if (chosen) await setEnvironment(chosen[1]);
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
const environment = makeField(T.light, named(T.lights, ENVIRONMENTS), (name) => {
  setEnvironment(name === IMAGE ? image : name).catch(showError).finally(refresh);
});
const imageOption = new Option("", IMAGE);
const button = makeIconButton("image", T.environmentImage);
const chooseImage = withFiles(button, (files) => lightBy(files).catch(showError), {
  id: "environment-input",
  accept: "image/*,.hdr",
  multiple: false,
});
$("light").append(...chooseImage);
const exposure = makeField(T.exposure, EXPOSURES.map((factor) => new Option(T.speedOf(factor), factor)), (factor) =>
  show.set({ exposure: Number(factor) }));
const backdrop = makeField(T.backdrop, named(T.backdrops, BACKDROPS), setBackdrop);

function refresh() {
  if (image) {
    imageOption.text = typeof image === "string" ? nameOfUrl(new URL(image)) : image.name;
    if (!imageOption.parentNode) environment.append(imageOption);
  }
  environment.value = image && state.environment === image ? IMAGE : (state.environment ?? "");
  backdrop.value = state.backdrop ?? "";
  const factor = show.options.exposure ?? 1;
  if (![...exposure.options].some(({ value }) => Number(value) === factor)) // of a link
    exposure.append(new Option(T.speedOf(factor), factor));
  exposure.value = factor;
  environment.disabled = button.disabled = exposure.disabled = show.options.shade !== "studio";
}
show.addEventListener("change", refresh);
refresh();

/** Sets what a link names; null: nothing. Addresses are relative to `base`. Adds to `ignored` what does not exist. */
export async function applyLight(link, base, ignored) {
  const isKnown = (part, names, ...others) => {
    const known = names.includes(link[part]);
    if (!known && link[part] !== null)
      ignored.push(T.ignoredChoice(`${part}=${link[part]}`, [...names, ...others].join(", ")));
    return known;
  };
  try {
    if (/[./]/.test(link.environment)) await setEnvironment(new URL(link.environment, base).href);
    else if (isKnown("environment", ENVIRONMENTS, T.orImage)) await setEnvironment(link.environment);
  } catch ({ message }) {
    ignored.push(T.ignoredPart(`environment=${link.environment}`, message));
  }
  if (isKnown("background", BACKDROPS)) setBackdrop(link.background);
  const factor = Number(link.exposure ?? NaN);
  if (factor >= 0 && factor < Infinity) show.set({ exposure: factor });
  else if (link.exposure !== null) ignored.push(T.ignoredChoice(`exposure=${link.exposure}`, T.factor));
}
