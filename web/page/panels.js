// What stands beside the model: what it is, what is wrong with it, and saving.
import { linkToView, say, show, state, titleOf, work } from "./app.js";
import { make } from "./make.js";
import { wearPanel } from "./wear.js";
import { makeZip } from "./zip.js";
import { STRINGS as T } from "./strings.js";

export const TABS = ["model", "check", "wear", "save"];

export function drawPanel(tab) {
  return { model: modelPanel, check: checkPanel, wear: wearPanel, save: savePanel }[tab]();
}

function modelPanel() {
  const { model } = state;
  const parts = model.parts.map((part) => make("pre", part.sheet, { tabIndex: 0 }));
  return [make("h2", titleOf()), ...parts, ...model.findings.map((finding) => make("p", finding.message, { className: "quiet" }))];
}

function problemItem(problem) {
  const item = make("li", problem.message, { className: `problem ${problem.severity}` });
  item.append(make("small", `${problem.code}, ${T.atByte(problem.offset, problem.section)}`));
  return item;
}

function checkPanel() {
  return state.model.parts.flatMap((part) => {
    const report = part.check();
    const list = make("ul");
    list.append(...report.problems.map(problemItem));
    return [make("h2", part.path.split(/[/:]/).pop()), make("p", report.problems.length ? T.checkOf(report.counts) : T.checkClean, { className: "quiet" }), list];
  });
}

// ---- Saving ----------------------------------------------------------------------------------

export function download(bytes, name, type = "application/octet-stream") {
  const link = make("a", undefined, { download: name, href: URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const savers = {
  glb: (model, name) => download(model.toGlb({ name }), `${name}.glb`, "model/gltf-binary"),
  obj: (model, name) => download(model.toObj({ name, frame: model.parts[0].pose.frameA }), `${name}.obj`, "model/obj"),
  png: async (model, name) => download(await show.picture(), `${name}.png`),
  md2: (model, name) => download(model.encode("md2"), `${name}.md2`),
  md3: (model, name) => download(model.encode("md3"), `${name}.md3`),
  mdc: (model, name) => download(model.encode("mdc"), `${name}.mdc`),
};

function savePanel() {
  const list = make("ul");
  for (const [kind, save] of Object.entries(savers)) list.append(itemOf(T.saveAs[kind], () => save(state.model, titleOf())));
  list.append(itemOf(T.link, copyLink));
  list.append(itemOf(T.saveAs.zip, (button) => saveAll(button)));
  return [list];
}

function itemOf(text, act) {
  const button = make("button", text);
  button.onclick = async () => {
    try {
      await act(button);
    } catch (error) {
      say(error.message);
    }
  };
  const item = make("li");
  item.append(button);
  return item;
}

async function copyLink() {
  if (!state.source) return say(T.linkLocal);
  const link = linkToView();
  history.replaceState(null, "", link);
  await navigator.clipboard?.writeText(link).catch(() => {});
  say(T.linkCopied);
}

async function saveAll(button) {
  const { library } = await import("./app.js");
  const { models } = library;
  const bar = make("progress", undefined, { max: models.length, value: 0 });
  let stopped = false;
  const cancel = make("button", T.cancel);
  cancel.onclick = () => (stopped = true);
  button.after(bar, cancel);
  button.disabled = true;
  const members = [];
  const failed = [];
  for (const entry of models) {
    if (stopped) break;
    try {
      members.push([`${entry.player ?? entry.path}`.replace(/^[^:]*:/, "").replace(/\.[^./]*$/, "") + ".glb", await work.ask("glb", { path: entry.player ?? entry.path })]);
    } catch (error) {
      failed.push(`${entry.path}: ${error.message}`);
    }
    bar.value++;
  }
  for (const element of [bar, cancel]) element.remove();
  button.disabled = false;
  if (failed.length) say(failed.join(" "));
  if (!stopped && members.length) download(makeZip(members), "models.zip", "application/zip");
}
