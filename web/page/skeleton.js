// The skeleton of a model in the tab "save": finding it in a worker of its own, showing it, saving with it.
import { makeElement } from "./elements.js";
import { show, state, WorkerClient } from "./state.js";
import { STRINGS as T } from "./strings_later.js";

const found = new WeakMap(); // model: { skeletons: of its parts, saved, shown }

/** Returns the skeletons to save a model with; undefined: none. */
export const skeletonsOf = (model) => (found.get(model)?.saved ? found.get(model).skeletons : undefined);

// Finds the skeletons of all parts. Cancelling ends the worker, which is busy until it has found them.
async function find(setProgress, signal) {
  const { model, entry, entries } = state;
  const client = new WorkerClient();
  signal.onabort = () => client.terminate();
  try {
    const skeletons = await client.request("skeletons", { path: entry.player ?? entry.path }, { entries, onProgress: setProgress });
    if (!skeletons) return; // cancelled
    const all = model.parts.map((_, i) => skeletons[i] ?? null);
    const usable = all.some((one) => one && one.verdict !== "refused");
    found.set(model, { skeletons: all, usable, saved: usable, shown: usable });
    await draw(model);
  } finally {
    client.terminate();
  }
}

async function draw(model) {
  const { skeletons, shown } = found.get(model);
  await model.showSkeletons(shown ? skeletons : null);
  show.draw();
}

function describe(model) {
  const { skeletons } = found.get(model);
  const list = makeElement("ul", undefined, { className: "losses" });
  skeletons.forEach((one, i) => {
    if (!one || (model.parts.length > 1 && model.parts[i].frames === 1)) return;
    const name = model.parts.length > 1 ? `${T.parts[model.parts[i].name] ?? model.parts[i].name}: ` : "";
    const refused = one.verdict === "refused";
    list.append(makeElement("li", name + (refused ? T.noSkeleton(one.reason) : T.skeletonOf(one.joints.length, one.rmsError, one.rmsError / one.quantum, one.maxError))));
    if (one.verdict === "warned") list.append(makeElement("li", one.reason, { className: "quiet" }));
  });
  return list;
}

function check(id, label, checked, onchange) {
  const box = makeElement("input", undefined, { type: "checkbox", id, checked, onchange: () => onchange(box.checked) });
  const element = makeElement("label");
  element.append(box, label);
  return element;
}

/** Returns the form: a button that finds a skeleton, or what was found. */
export function skeletonForm(withProgress, showError) {
  const form = makeElement("div", undefined, { id: "skeleton" });
  const fill = () => {
    const { model } = state;
    const one = found.get(model);
    if (one) {
      form.replaceChildren(describe(model));
      if (one.usable)
        form.append(
          check("with-skeleton", T.withSkeleton, one.saved, (on) => (one.saved = on)),
          check("show-skeleton", T.showSkeleton, one.shown, (on) => ((one.shown = on), draw(model).catch(showError))),
        );
      return;
    }
    const button = makeElement("button", T.findSkeleton);
    button.onclick = async () => {
      try {
        await withProgress(button, find);
        if (found.has(state.model)) fill();
      } catch (error) {
        showError(error);
      }
    };
    form.replaceChildren(button);
  };
  fill();
  return form;
}
