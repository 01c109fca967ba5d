// Messages below the model, and the title above it.
import { LerpmeshError } from "./lib/module.js";
import { makeElement, makeIconButton } from "./elements.js";
import { $, state, titleOf } from "./state.js";
import { STRINGS as T } from "./strings.js";

/**
 * Shows a message below the model; null: none. `details`: the library's message, or a list of them. `action`: a button,
 * { label, act }.
 */
export function showMessage(text, { details = null, action = null } = {}) {
  const box = $("message");
  const lines = [details ?? []].flat();
  showReading(null);
  box.hidden = !text;
  box.replaceChildren(makeElement("span", text ?? ""));
  if (action) box.append(makeElement("button", action.label, { onclick: action.act }));
  box.append(makeIconButton("close", T.dismiss, () => showMessage(null)));
  if (lines.length === 0) return;
  const element = makeElement("details");
  element.append(makeElement("summary", T.details), ...lines.map((line) => makeElement("p", line)));
  box.append(element);
}

export function showError(error) {
  showMessage(error.message, error);
  if (!(error instanceof LerpmeshError)) console.error(error);
}

/** Shows in the header that a file is read; null: the title of the model again. */
export function showReading(name) {
  const { model } = state;
  const triangles = model?.parts.flatMap((part) => part.surfaces).reduce((sum, one) => sum + one.triangles, 0);
  const texts = name === null ? [titleOf(), model ? T.summary(model.format, triangles, model.parts[0].frames) : ""] : [T.reading(name)];
  document.body.classList.toggle("busy", name !== null);
  if ($("title").textContent !== texts.join("")) $("title").replaceChildren(...texts.map((text, i) => makeElement(i ? "span" : "strong", text)));
}
