// The dialog "help": what the page does, and its keys.
import { makeElement } from "./elements.js";
import { loadStyle } from "./panels.js";
import { STRINGS as T } from "./strings.js";

export async function openHelp() {
  await loadStyle();
  const dialog = document.getElementById("help");
  const keys = makeElement("dl");
  for (const [key, effect] of T.keys) keys.append(makeElement("dt", key), makeElement("dd", effect));
  document.getElementById("help-body").replaceChildren(makeElement("p", T.helpAbout), keys);
  if (!dialog.open) dialog.showModal();
}
