// The language of the page: the one that the address or the user chose, else the browser's. Each language except English
// has a catalogue of its own, which is fetched only if it is needed.

export const LANGUAGES = ["en", "de"];
const CATALOGUES = { de: () => import("./strings_de.js") };
const KEY = "lerpmesh-language";

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // the browser blocks it
  }
}

function choose() {
  const wanted = [new URLSearchParams(location.search).get("lang"), read(), ...navigator.languages];
  return wanted.map((one) => one?.slice(0, 2).toLowerCase()).find((one) => LANGUAGES.includes(one)) ?? "en";
}

export const language = globalThis.document ? choose() : "en";
/** The texts of the language, which replace the English ones; null: English. */
export const translation = CATALOGUES[language] ? (await CATALOGUES[language]()).STRINGS : null;
if (globalThis.document) document.documentElement.lang = language;

/** Remembers another language, or puts it into the address if that is impossible, and loads the page again. */
export function changeLanguage(other) {
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  try {
    localStorage.setItem(KEY, other);
  } catch {
    address.searchParams.set("lang", other);
  }
  history.replaceState(null, "", address);
  location.reload();
}
