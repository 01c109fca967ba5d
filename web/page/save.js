// The tab "save": the model, pictures and films, other formats, whole archives, links.
import { convertOptions, formats } from "../lib/index.js";
import { makeElement } from "./elements.js";
import { IMPORTED, partsOf, titleOfPath } from "./files.js";
import {
  filmClip,
  filmTurntable,
  makeZip,
  MIN_SECONDS,
  recordVideo,
  recordWebp,
  requireGraphics,
  takePicture,
} from "./film.js";
import { library } from "./open.js";
import { $, isStill, show, showError, showMessage, state, titleOf, worker, WorkerClient } from "./state.js";
import { STRINGS as T } from "./strings_later.js";

// Returns the name for files of the current model: of a player, its folder's.
function saveName() {
  const title = titleOf();
  if (!/^(\.|lower|tris)$/i.test(title)) return title;
  const folder = partsOf(state.model.parts[0].path).at(-2);
  return folder ? titleOfPath(folder) : "player";
}

function download(bytes, name, type = "application/octet-stream") {
  const link = makeElement("a", {
    download: name,
    href: URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], { type })),
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const downloadAll = async (files, name) => download(await makeZip(files), `${name}.zip`);

let running = false; // a long task
const longTasks = () => document.querySelectorAll("#panel button.long");

// Runs a long task, one at a time, with a progress bar and a button to cancel it above the panel, whatever that shows.
// `act` gets a function that sets the progress, from 0 to 1, and the signal that aborts once the task is cancelled.
async function withProgress(name, act) {
  const bar = makeElement("progress", { max: 1, value: 0, ariaLabel: T.progress });
  const controller = new AbortController();
  const cancel = makeElement("button", { onclick: () => controller.abort() }, T.cancel);
  const task = makeElement("div", { id: "task", className: "bar" }, makeElement("span", {}, name), bar, cancel);
  $("panel").before(task);
  running = true;
  for (const button of longTasks()) button.disabled = true;
  try {
    return await act((share) => (bar.value = share), controller.signal);
  } finally {
    running = false;
    for (const button of longTasks()) button.disabled = false;
    task.remove();
  }
}

const makeLongButton = (text) => makeElement("button", { className: "long", disabled: running }, text);

// ---- Options ---------------------------------------------------------------------------------

let more = ""; // options of `lerpmesh convert`, as the user wrote them

function moreForm() {
  const input = makeElement("input", {
    id: "more-options",
    value: more,
    spellcheck: false,
    autocomplete: "off",
    oninput: () => (more = input.value),
  });
  return makeElement("label", { id: "more", className: "bar", title: T.moreOptionsOf }, T.moreOptions, input);
}

function checkBox(id, text, checked, onchange) {
  const box = makeElement("input", { type: "checkbox", id, checked, onchange: () => onchange(box.checked) });
  return makeElement("label", {}, box, text);
}

// ---- Skeletons -------------------------------------------------------------------------------

const found = new WeakMap(); // model: { skeletons: of its parts, saved, shown }

// Returns the skeletons to save a model with; undefined: none.
const skeletonsOf = (model) => (found.get(model)?.saved ? found.get(model).skeletons : undefined);

// Finds the skeletons of all parts, in a worker of its own: it is busy until it has found them, and cancelling ends it.
async function findSkeletons(setProgress, signal) {
  const { model, entry, entries } = state;
  const client = new WorkerClient();
  signal.onabort = () => client.terminate();
  try {
    const skeletons = await client.request(
      "skeletons",
      { path: entry.player ?? entry.path },
      { entries, onProgress: setProgress },
    );
    if (!skeletons) return; // cancelled
    const all = model.parts.map((_, i) => skeletons[i] ?? null);
    const usable = all.some((one) => one && one.verdict !== "refused");
    found.set(model, { skeletons: all, usable, saved: usable, shown: usable });
    await drawSkeletons(model);
  } finally {
    client.terminate();
  }
}

async function drawSkeletons(model) {
  const { skeletons, shown } = found.get(model);
  await model.showSkeletons(shown ? skeletons : null);
  show.draw();
}

function describeSkeletons(model, skeletons) {
  const several = model.parts.length > 1;
  return makeElement(
    "ul",
    { className: "losses" },
    skeletons.flatMap((one, i) => {
      const part = model.parts[i];
      if (!one || (several && part.frames === 1)) return [];
      const name = several ? `${T.parts[part.name] ?? part.name}: ` : "";
      const text =
        one.verdict === "refused"
          ? T.noSkeleton(one.reason)
          : T.skeletonOf(one.joints.length, one.rmsError, one.rmsError / one.quantum, one.maxError);
      return [
        makeElement("li", {}, name + text),
        one.verdict === "warned" && makeElement("li", { className: "quiet" }, one.reason),
      ];
    }),
  );
}

// Fills the form: a button that finds a skeleton, or what was found.
function fillSkeletonForm(form) {
  const { model } = state;
  const one = found.get(model);
  if (!one) {
    const button = makeLongButton(T.findSkeleton);
    const act = async () => {
      await withProgress(T.findSkeleton, findSkeletons);
      if (found.has(state.model) && $("skeleton")) fillSkeletonForm($("skeleton")); // the panel may be another one now
    };
    button.onclick = () => act().catch(showError);
    return form.replaceChildren(button);
  }
  form.replaceChildren(describeSkeletons(model, one.skeletons));
  if (!one.usable) return;
  form.append(
    checkBox("with-skeleton", T.withSkeleton, one.saved, (on) => (one.saved = on)),
    checkBox(
      "show-skeleton",
      T.showSkeleton,
      one.shown,
      (on) => ((one.shown = on), drawSkeletons(model).catch(showError)),
    ),
  );
}

function skeletonForm() {
  const form = makeElement("div", { id: "skeleton" });
  fillSkeletonForm(form);
  return form;
}

// ---- Other formats ---------------------------------------------------------------------------

// Converts a glTF from its source, not from the model that is shown.
async function convertSource(format) {
  const words = [...more.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
  const { files, messages } = await worker.request("convert", { path: state.entry.path, format, words });
  return { files, items: messages.map((message) => makeElement("li", {}, message)) };
}

function describeLosses(name, { bytes, losses }) {
  const problems = [...new Set(losses.problems.map(({ code, message }) => message + (T.hints[code] ?? "")))].slice(
    0,
    4,
  );
  const size = makeElement("li", {}, T.encoded(name, bytes.length, losses.maxError, losses.rmsError));
  return [size, ...problems.map((message) => makeElement("li", { className: "quiet" }, message))];
}

const CLIPS = ["animation.cfg", "weapon.cfg"];
const clipFormats = async () => (await convertOptions()).find(({ name }) => name === "write-clips").formats;
const insideOf = (path) => path.replace(/^.*:/, "").replace(/^\.\//, "");
const folderOf = (path) => path.replace(/[^/:]*$/, "");

// Encodes one model: { files, items }.
async function encodeModel(format, part) {
  const name = saveName();
  const encoded = await part.encode(format, { name, options: more });
  const file = `${name}.${format}`;
  return { files: [[file, encoded.bytes], ...encoded.images], items: describeLosses(file, encoded) };
}

// Encodes the parts of a player, with the other files of the game: its clips and, for each skin that it lists, the
// .skin files, their images, and parts that only this skin has. Paths are those in the game.
async function encodePlayer(format, model) {
  const [items, files, encoded] = [[], new Map(), new Set()];
  const read = async (path) => {
    if (!files.has(insideOf(path))) files.set(insideOf(path), await state.files.read(path));
  };
  const writeClips = !more.trim() && (await clipFormats()).includes(format); // options may change the frames
  const encode = async (part) => {
    const made = await part.encode(format, { name: part.name, options: more, writeClips });
    const folder = folderOf(insideOf(part.path));
    for (const [name, bytes] of made.images)
      if (!CLIPS.includes(name) || !files.has(folder + name)) files.set(folder + name, bytes);
    files.set(`${folder}${part.name}.${format}`, made.bytes);
    items.push(...describeLosses(`${part.name}.${format}`, made));
  };
  const add = async ({ parts }, skin) => {
    for (const part of parts) {
      for (const { path } of part.textures) if (path) await read(path);
      if (skin) await read(`${folderOf(part.path)}${part.name}_${skin}.skin`).catch(() => {});
      if (!encoded.has(part.path)) await encode(part);
      encoded.add(part.path);
    }
  };
  for (const name of CLIPS) await read(folderOf(model.parts[0].path) + name).catch(() => {});
  await add(model);
  const { player, path } = state.entry;
  for (const { option } of model.skins.filter((one) => one.option && !/[./]/.test(one.option))) {
    const options = { ...model.options, skins: [option], listedSkin: undefined };
    const dressed = await state.files.open(player ?? path, options);
    await add(dressed, option).finally(() => dressed.dispose());
  }
  return { files: [...files], items };
}

// Saves the model in a game's format, and reports the losses.
async function saveEncoded(format, button) {
  const { model } = state;
  const fromSource = IMPORTED.test(state.entry.path) && model.parts.length === 1 && state.own.length === 0;
  const { files, items } = await (fromSource ? convertSource(format)
    : model.parts.length > 1 ? encodePlayer(format, model) : encodeModel(format, model.parts[0]));
  if (files.length === 1) download(files[0][1], files[0][0]);
  else await downloadAll(files, `${saveName()}-${format}`);
  showLosses(button, items);
}

function showLosses(button, items) {
  const choices = button.closest(".choices");
  choices.parentElement?.querySelector(".choices + .losses")?.remove(); // if it is on show
  choices.after(makeElement("ul", { className: "losses" }, items));
}

// ---- Pictures and films ----------------------------------------------------------------------

const SIZES = [[512, 512], [1280, 720], [1920, 1080], [1080, 1080], [1080, 1920], [3840, 2160]];
const MAX_SIDE = 4096;
const picture = { choice: "view", width: 1280, height: 720, transparent: false }; // what the user chose last

// Returns the size of pictures: { width, height, transparent }.
function pictureSize() {
  const { choice, transparent } = picture;
  const [width, height] = choice === "view" ? [show.canvas.width, show.canvas.height]
    : choice === "other" ? [picture.width, picture.height] : SIZES[choice];
  return { width, height, transparent };
}

// Makes a number's field: out of range, it keeps the last valid number.
function numberField(label, key) {
  const input = makeElement("input", {
    type: "number",
    min: 16,
    max: MAX_SIDE,
    step: 1,
    value: picture[key],
    ariaLabel: label,
  });
  input.onchange = () => {
    if (input.checkValidity() && input.value !== "") picture[key] = Number(input.value);
    input.value = picture[key];
  };
  return input;
}

function pictureForm() {
  const sizes = SIZES.map((size, i) => new Option(T.sizeOf(...size), i));
  const list = makeElement(
    "select",
    { id: "picture-size" },
    new Option(T.sizeOfView, "view"),
    sizes,
    new Option(T.otherSize, "other"),
  );
  const other = makeElement(
    "span",
    { className: "bar" },
    numberField(T.width, "width"),
    "×",
    numberField(T.height, "height"),
  );
  const choose = (choice) => {
    picture.choice = list.value = choice;
    other.hidden = choice !== "other";
  };
  choose(picture.choice);
  list.onchange = () => choose(list.value);
  const transparent = checkBox(
    "transparent",
    T.transparent,
    picture.transparent,
    (checked) => (picture.transparent = checked),
  );
  return makeElement("div", { id: "picture" }, makeElement("label", {}, T.pictureSize, list), other, transparent);
}

async function savePicture() {
  download(await takePicture(pictureSize()), `${saveName()}.png`);
}

// Saves a film. `contents` makes it; `record` is recordVideo or recordWebp.
async function saveFilm(button, contents, record, name) {
  requireGraphics();
  const film = contents();
  const size = pictureSize();
  try {
    const found = await withProgress(button.textContent, (setProgress, signal) =>
      record(film, size, setProgress, signal),
    );
    if (found) download(found.blob, `${name}.${found.extension}`);
  } finally {
    film.end();
  }
}

const clipName = (model, name) => `${name}-${model.clip?.name ?? "all"}`;

// ---- Whole archives, links -------------------------------------------------------------------

// Appends the entry's index if the name is taken.
const nameOfGlb = (entry, i, taken) => {
  const name = (entry.player ?? entry.path).replace(/^([^:]*:|\.\/)/, "").replace(/\.[^./]*$/, "");
  return taken.some(([other]) => other === `${name}.glb`) ? `${name}-${i}.glb` : `${name}.glb`;
};

const saveAll = (button) => withProgress(button.textContent, async (setProgress, signal) => {
  const members = [];
  const failed = [];
  for (const [i, entry] of library.models.entries()) {
    if (signal.aborted) return;
    try {
      members.push([nameOfGlb(entry, i, members), await worker.request("glb", { path: entry.player ?? entry.path })]);
    } catch (error) {
      failed.push(`${entry.path}: ${error.message}`);
    }
    setProgress((i + 1) / library.models.length);
  }
  if (failed.length) showMessage(failed.join(" "));
  if (members.length) await downloadAll(members, "models");
});

async function copy(text) {
  return navigator.clipboard?.writeText(text).then(() => true, () => false);
}

async function copyLink() {
  if (!state.source) return showMessage(T.linkLocal);
  const link = (await import("./links.js")).linkToView();
  history.replaceState(null, "", link);
  showMessage((await copy(link)) ? T.linkCopied : T.linkShown);
}

// Shows and copies HTML that puts the model on another page.
async function copyEmbedCode(button) {
  if (!state.source?.href) return showMessage(T.embedLocal);
  const code = (await import("./links.js")).embedCode();
  const choices = button.closest(".choices");
  choices.parentElement.querySelector(".embed")?.remove();
  const box = makeElement("textarea", {
    className: "embed",
    readOnly: true,
    rows: 6,
    value: code,
    ariaLabel: T.embedCode,
    spellcheck: false,
  });
  choices.after(box);
  if (await copy(code)) return showMessage(T.embedCopied);
  box.select();
}

// ---- The panel -------------------------------------------------------------------------------

const frameOf = (model) => model.parts[0].pose.frameA;
const GROUPS = {
  model: {
    glb: async (button, model, name) =>
      download(
        await model.toGlb({ name, skeleton: skeletonsOf(model), options: more }),
        `${name}.glb`,
        "model/gltf-binary",
      ),
    gltf: async (button, model, name) =>
      downloadAll(await model.toGltf({ name, skeleton: skeletonsOf(model), options: more }), `${name}-gltf`),
    obj: async (button, model, name) =>
      downloadAll(await model.toObjFiles({ name, frames: frameOf(model), options: more }), `${name}-obj`),
    iqm: async (button, model, name) => {
      const { files } = await model.convert("iqm", { name, options: more });
      if (files.length === 1) download(files[0][1], `${name}.iqm`);
      else await downloadAll(files, `${name}-iqm`);
    },
  },
  image: {
    png: savePicture,
    turntable: (button, model, name) => saveFilm(button, filmTurntable, recordVideo, name),
    clip: (button, model, name) => saveFilm(button, () => filmClip(MIN_SECONDS), recordVideo, clipName(model, name)),
    turntableWebp: (button, model, name) => saveFilm(button, filmTurntable, recordWebp, name),
    clipWebp: (button, model, name) => saveFilm(button, filmClip, recordWebp, clipName(model, name)),
  },
  more: { link: copyLink, embed: copyEmbedCode, zip: saveAll },
};

const LONG = ["turntable", "clip", "turntableWebp", "clipWebp", "zip"]; // they run with a progress bar

function choicesOf(actions) {
  return makeElement("div", { className: "choices" }, Object.entries(actions).map(([kind, act]) => {
    const text = T.saveAs[kind] ?? kind.toUpperCase();
    const button = LONG.includes(kind) ? makeLongButton(text) : makeElement("button", {}, text);
    button.onclick = async () => {
      try {
        await act(button, state.model, saveName());
      } catch (error) {
        showError(error);
      }
    };
    return button;
  }));
}

export async function savePanel() {
  const encoders = (await formats())
    .filter(({ encoded }) => encoded)
    .map(({ name }) => [name, (button) => saveEncoded(name, button)]);
  const { clip, clipWebp, ...still } = GROUPS.image;
  const heading = (group) => makeElement("h2", {}, T.saveGroups[group]);
  return [
    heading("model"), choicesOf(GROUPS.model), skeletonForm(),
    heading("image"), pictureForm(), choicesOf(isStill(state.model) ? still : GROUPS.image),
    heading("formats"), choicesOf(Object.fromEntries(encoders)), moreForm(),
    heading("more"), choicesOf(GROUPS.more),
  ];
}
