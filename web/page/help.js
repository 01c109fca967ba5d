// The dialog "help": keys, links and the language.
import { makeElement } from "./elements.js";
import { changeLanguage, language, LANGUAGES } from "./language.js";
import { loadStyle } from "./panels.js";
import { STRINGS as T } from "./strings_later.js";

function fill() {
  const keys = makeElement("dl");
  for (const [key, effect] of T.keys) keys.append(makeElement("dt", key), makeElement("dd", effect));
  const list = makeElement("select", undefined, { id: "language" });
  list.append(...LANGUAGES.map((code) => new Option(T.languages[code], code, false, code === language)));
  list.onchange = () => changeLanguage(list.value);
  const label = makeElement("label", T.language);
  label.append(" ", list);
  document.getElementById("help-body").append(makeElement("p", T.helpAbout), keys, label);
  for (const link of document.querySelectorAll("[data-link]")) link.textContent = T.links[link.dataset.link];
}

export async function openHelp() {
  await loadStyle();
  const dialog = document.getElementById("help");
  if (!document.getElementById("language")) fill();
  if (!dialog.open) dialog.showModal();
}
