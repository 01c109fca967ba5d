// The tab "save": the model, pictures and films, other formats, whole archives, links.
import { formats } from "./lib/index.js";
import { makeZip } from "./containers.js";
import { makeElement } from "./elements.js";
import { GLTF, partsOf, titleOfPath } from "./files.js";
import { filmClip, filmTurntable, MIN_SECONDS, recordVideo, recordWebp, requireGraphics, takePicture } from "./film.js";
import { showError, showMessage } from "./messages.js";
import { library } from "./open.js";
import { skeletonForm, skeletonsOf } from "./skeleton.js";
import { show, state, titleOf, worker } from "./state.js";
import { STRINGS as T } from "./strings_later.js";

// Returns the name for files of the current model: of a player, its folder's.
function saveName() {
  const title = titleOf();
  if (!/^(\.|lower|tris)$/i.test(title)) return title;
  const folder = partsOf(state.model.parts[0].path).at(-2);
  return folder ? titleOfPath(folder) : "player";
}

function download(bytes, name, type = "application/octet-stream") {
  const link = makeElement("a", undefined, { download: name, href: URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const downloadAll = (files, name) => download(makeZip(files), `${name}.zip`, "application/zip");

// Runs a long task with a progress bar and a button to cancel it. `act` gets a function that sets the progress, from 0 to
// 1, and the signal that aborts once the task is cancelled.
async function withProgress(button, act) {
  const bar = makeElement("progress", undefined, { max: 1, value: 0, ariaLabel: T.progress });
  const controller = new AbortController();
  const cancel = makeElement("button", T.cancel, { onclick: () => controller.abort() });
  button.after(bar, cancel);
  button.disabled = true;
  try {
    return await act((share) => (bar.value = share), controller.signal);
  } finally {
    bar.remove();
    cancel.remove();
    button.disabled = false;
  }
}

// ---- Options ---------------------------------------------------------------------------------

let more = ""; // options of `lerpmesh convert`, as the user wrote them

function moreForm() {
  const label = makeElement("label", T.moreOptions, { id: "more", className: "bar", title: T.moreOptionsOf });
  const input = makeElement("input", undefined, { id: "more-options", value: more, spellcheck: false, autocomplete: "off" });
  input.oninput = () => (more = input.value);
  label.append(input);
  return label;
}

// ---- Other formats ---------------------------------------------------------------------------

// Converts a glTF from its source, not from the model that is shown.
async function convertSource(format) {
  const words = [...more.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
  const { files, messages } = await worker.request("convert", { path: state.entry.path, format, words });
  return { files, items: messages.map((message) => makeElement("li", message)) };
}

function describeLosses(name, { bytes, losses }) {
  const problems = [...new Set(losses.problems.map(({ code, message }) => message + (T.hints[code] ?? "")))].slice(0, 4);
  return [makeElement("li", T.encoded(name, bytes.length, losses.maxError, losses.rmsError)), ...problems.map((message) => makeElement("li", message, { className: "quiet" }))];
}

const insideOf = (path) => path.replace(/^.*:/, "").replace(/^\.\//, "");
const folderOf = (path) => path.replace(/[^/:]*$/, "");

// Reads the textures of all parts and, for a player, its clips and .skin files: [path in the game, bytes] each.
async function readSidecars({ parts, skins }) {
  const [{ path }] = parts;
  const folder = folderOf(path);
  const named = skins.filter(({ option }) => option && !/[./]/.test(option)).map(({ option }) => option);
  const optional = [`${folder}animation.cfg`, ...parts.flatMap((part) => named.map((skin) => `${folderOf(part.path)}${part.name}_${skin}.skin`))];
  const textures = parts.flatMap((part) => part.textures.map((texture) => texture.path)).filter(Boolean);
  const found = new Map();
  for (const one of textures) found.set(insideOf(one), await state.files.read(one));
  for (const one of optional) {
    const bytes = await state.files.read(one).catch(() => null);
    if (bytes) found.set(insideOf(one), bytes);
  }
  return [...found];
}

// Encodes the model, or each part of a player, which it saves with the other files of the game.
async function encodeParts(format, model) {
  const name = saveName();
  const [items, files] = [[], new Map()];
  const single = model.parts.length === 1;
  for (const part of model.parts) {
    const encoded = await part.encode(format, { name: single ? name : part.name, options: more });
    const folder = single ? "" : folderOf(insideOf(part.path));
    const file = `${single ? name : part.name}.${format}`;
    files.set(folder + file, encoded.bytes);
    for (const [image, bytes] of encoded.images) files.set(folder + image, bytes);
    items.push(...describeLosses(file, encoded));
  }
  if (!single) for (const [path, bytes] of await readSidecars(model)) if (!files.has(path)) files.set(path, bytes);
  return { files: [...files], items };
}

// Saves the model in a game's format, and reports the losses.
async function saveEncoded(format, button) {
  const { model } = state;
  const fromSource = GLTF.test(state.entry.path) && model.parts.length === 1 && state.own.length === 0;
  const { files, items } = await (fromSource ? convertSource(format) : encodeParts(format, model));
  if (files.length === 1) download(files[0][1], files[0][0]);
  else downloadAll(files, model.parts.length > 1 ? saveName() : `${saveName()}-${format}`);
  showLosses(button, items);
}

function showLosses(button, items) {
  const losses = makeElement("ul", undefined, { className: "losses" });
  losses.append(...items);
  const choices = button.closest(".choices");
  choices.nextElementSibling?.classList.contains("losses") && choices.nextElementSibling.remove();
  choices.after(losses);
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
  const input = makeElement("input", undefined, { type: "number", min: 16, max: MAX_SIDE, step: 1, value: picture[key], ariaLabel: label });
  input.onchange = () => {
    if (input.checkValidity() && input.value !== "") picture[key] = Number(input.value);
    input.value = picture[key];
  };
  return input;
}

function pictureForm() {
  const list = makeElement("select", undefined, { id: "picture-size" });
  list.append(new Option(T.sizeOfView, "view"), ...SIZES.map((size, i) => new Option(T.sizeOf(...size), i)), new Option(T.otherSize, "other"));
  list.value = picture.choice;
  const other = makeElement("span", undefined, { className: "bar", hidden: picture.choice !== "other" });
  other.append(numberField(T.width, "width"), "×", numberField(T.height, "height"));
  list.onchange = () => {
    picture.choice = list.value;
    other.hidden = list.value !== "other";
  };
  const check = makeElement("input", undefined, { type: "checkbox", id: "transparent", checked: picture.transparent });
  check.onchange = () => (picture.transparent = check.checked);
  const labelled = (...content) => {
    const label = makeElement("label");
    label.append(...content);
    return label;
  };
  const form = makeElement("div", undefined, { id: "picture" });
  form.append(labelled(T.pictureSize, list), other, labelled(check, T.transparent));
  return form;
}

async function savePicture() {
  download(await takePicture(pictureSize()), `${saveName()}.png`);
}

// Saves a film. `contents` makes it; `record` is recordVideo or recordWebp.
async function saveFilm(button, contents, record, name) {
  requireGraphics();
  const film = contents();
  try {
    const found = await withProgress(button, (setProgress, signal) => record(film, pictureSize(), setProgress, signal));
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

const saveAll = (button) => withProgress(button, async (setProgress, signal) => {
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
  if (members.length) downloadAll(members, "models");
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
  if (!state.source) return showMessage(T.embedLocal);
  const code = (await import("./links.js")).embedCode();
  const choices = button.closest(".choices");
  choices.parentElement.querySelector(".embed")?.remove();
  const box = makeElement("textarea", undefined, { className: "embed", readOnly: true, rows: 6, value: code, ariaLabel: T.embedCode, spellcheck: false });
  choices.after(box);
  if (await copy(code)) return showMessage(T.embedCopied);
  box.select();
}

// ---- The panel -------------------------------------------------------------------------------

const frameOf = (model) => model.parts[0].pose.frameA;
const GROUPS = {
  model: {
    glb: async (button, model, name) => download(await model.toGlb({ name, skeleton: skeletonsOf(model), options: more }), `${name}.glb`, "model/gltf-binary"),
    gltf: async (button, model, name) => downloadAll(await model.toGltf({ name, skeleton: skeletonsOf(model), options: more }), `${name}-gltf`),
    obj: async (button, model, name) => downloadAll(await model.toObjFiles({ name, frame: frameOf(model), options: more }), `${name}-obj`),
  },
  image: {
    png: savePicture,
    turntable: (button, model, name) => saveFilm(button, filmTurntable, recordVideo, name),
    clip: (button, model, name) => saveFilm(button, () => filmClip(MIN_SECONDS), recordVideo, clipName(model, name)),
    turntableWebp: (button, model, name) => saveFilm(button, filmTurntable, recordWebp, name),
    clipWebp: (button, model, name) => saveFilm(button, filmClip, recordWebp, clipName(model, name)),
  },
  formats: {}, // filled by savePanel()
  more: { link: copyLink, embed: copyEmbedCode, zip: saveAll },
};

export async function savePanel() {
  const encoders = (await formats()).map(({ name }) => [name, (button) => saveEncoded(name, button)]);
  return Object.entries({ ...GROUPS, formats: Object.fromEntries(encoders) }).flatMap(([group, actions]) => {
    const choices = makeElement("div", undefined, { className: "choices" });
    for (const [kind, act] of Object.entries(actions)) {
      const button = makeElement("button", T.saveAs[kind] ?? kind.toUpperCase());
      button.onclick = async () => {
        try {
          await act(button, state.model, saveName());
        } catch (error) {
          showError(error);
        }
      };
      choices.append(button);
    }
    return [makeElement("h2", T.saveGroups[group]), ...(group === "image" ? [pictureForm()] : []), choices, ...(group === "model" ? [skeletonForm(withProgress, showError)] : group === "formats" ? [moreForm()] : [])];
  });
}
