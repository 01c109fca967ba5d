// The language of the page, and the texts that it needs for its first model. strings_later.js has the others.
import { PLAYBACK_TEXTS } from "../lib/controls.js";

/** The languages. Each except English has a catalogue of its own, which is fetched only if it is needed. */
export const LANGUAGES = { en: null, de: () => import("./strings_de.js"), fr: () => import("./strings_fr.js") };
export const LANGUAGE_KEY = "lerpmesh-language"; // in localStorage

function read() {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null; // the browser blocks it
  }
}

// Returns the language that the address or the user chose, else the browser's.
function choose() {
  const wanted = [new URLSearchParams(location.search).get("lang"), read(), ...navigator.languages];
  return wanted.map((one) => one?.slice(0, 2).toLowerCase()).find((one) => Object.hasOwn(LANGUAGES, one ?? "")) ?? "en";
}

export const language = globalThis.document ? choose() : "en";
if (globalThis.document) document.documentElement.lang = language;

/** Returns functions that write numbers, and nouns with their number, in a language. */
export function formattersOf(code) {
  const rules = new Intl.PluralRules(code);
  const number = new Intl.NumberFormat(code).format;
  const precise = new Intl.NumberFormat(code, { maximumSignificantDigits: 2 }).format;
  return {
    number,
    precise,
    plural: (count, one, others = `${one}s`) => `${number(count)} ${rules.select(count) === "one" ? one : others}`,
  };
}

export const formatters = formattersOf(language);
const { number, plural } = formatters;
/** The texts of the language, which replace the English ones; null: English. */
export const translation = LANGUAGES[language] && (await LANGUAGES[language]()).translate(formatters);

/** The catalogue: every text of the page that a user reads, in its language. */
export const STRINGS = Object.assign(
  {
    ...PLAYBACK_TEXTS,
    pageTitle: (model) => `${model} - lerpmesh`,
    canvasLabel: (model, clip) => (clip ? `${model}, ${clip}` : model),
    summary: (format, triangles, frames) =>
      [format.toUpperCase(), plural(triangles, "triangle"), plural(frames, "frame")].join(" · "),
    openFiles: "Open…",
    openFolder: "Folder…",
    help: "Help",
    close: "Close",
    dropHere: "Drop files, folders or archives here",

  library: "Models to open",
  start: "Start",

  search: "Search",
  searchHint: "Search models",
  models: "Models",
  count: (shown, all) => (shown === all ? plural(all, "model") : `${number(shown)} of ${plural(all, "model")}`),

    skipToView: "Skip to the model",
    stage: "Model view",
    controls: "Controls of the view",
    playback: "Playback",
    display: "Shading",
    overlays: "Overlays",
    camera: "Camera",
    lighting: "Light and backdrop",
    moreControls: "More controls",
    fit: "Fit to view",
    eye: "Eye of the player",
    fullScreen: "Full screen",
    shades: {
      studio: "Studio",
      texture: "Texture",
      normals: "Normals",
      wire: "Wireframe",
      uv: "UV checker",
      engine: "Game lighting",
    },
    toggles: {
      edges: "Edges",
      grid: "Grid",
      axes: "Axes",
      tags: "Tags",
      box: "Box",
      vertexNormals: "Normals",
      glCommands: "GL commands",
      shadow: "Shadow",
    },
    speedOf: (factor) => `${number(factor)} ×`,

    reading: (name) => `Reading ${name}…`,
    details: "Details",
    dismiss: "Close the message",
    unreadable: (count) => `${plural(count, "file")} cannot be read`,
    contextLost:
      "The browser dropped the WebGL context. It usually restores the context by itself; if not, reload the page. " +
      "The panels and saving still work.",
    noWebGl: "This browser has no WebGL 2, so the page cannot draw the model. The panels and saving work.",
    workerFailed: "The page's worker failed.",

  inspector: "Model details",
  tabs: { model: "Model", problems: "Problems", skins: "Skins", uv: "UV", file: "File", save: "Save" },
  nothingOpen: "No model is open.",
}, translation);
