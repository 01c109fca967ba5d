// The tab "skins": skins and attached models.
import { Files, LerpmeshError, readImage } from "../lib/index.js";
import { makeElement, makeNote, withFiles } from "./elements.js";
import { IMPORTED, nameOf, SKIN, titleOfPath } from "./files.js";
import { library, reopen } from "./open.js";
import { isLatest, openTab, showError, showMessage, startOpening, state } from "./state.js";
import { STRINGS as T } from "./strings_later.js";

const WEAPONS = /(^|[/:])weapons2?\//i;
const WEAPON_PART = /_(hand|flash|barrel|hole|view|\d)$/i;

const pathOf = (entry) => entry.path.replace(/.*:/, "");

// ---- Skins -----------------------------------------------------------------------------------

// Returns whether one image covers all of the model.
const hasOneImage = ({ parts: [{ info, surfaces }] }) => info.skins?.length > 0 || surfaces[0]?.materials.length === 0;

// Returns the names of the surfaces that can be assigned an image.
const surfacesOf = (model) =>
  [
    ...new Set(
      model.parts.flatMap(({ surfaces }) => surfaces.filter((one) => one.triangles > 0).map((one) => one.name)),
    ),
  ].filter((name) => name && !name.includes("="));

const isSkinFile = (path) => /\.skin$/i.test(path);
const stemOf = (path) => titleOfPath(path.replaceAll("\\", "/")).toLowerCase();

// Returns the bytes of an image that the library reads. The browser converts others to PNG.
async function readOwn(name, source) {
  const bytes = source instanceof Blob ? new Uint8Array(await source.arrayBuffer()) : source;
  if (isSkinFile(name)) return bytes;
  if (!/\.(webp|gif|bmp|avif)$/i.test(name)) {
    await readImage(bytes); // throws an error if it is damaged
    return bytes;
  }
  const image = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
}

// Reads files, to be added to those that are open in a folder of their own: { path, title, surfaces, bytes } each.
async function readFiles(files) {
  const folder = `skins/${state.entries.length}`; // unique per drop
  const added = [];
  for (const [path, source] of files) {
    const name = nameOf(path).replaceAll("=", "_");
    try {
      added.push({ path: `${folder}/${name}`, title: nameOf(path), surfaces: [], bytes: await readOwn(name, source) });
    } catch (error) {
      throw Object.assign(new LerpmeshError({ code: "bad-image", message: T.notImage(nameOf(path)) }), {
        details: error.message,
      });
    }
  }
  return added;
}

// Returns the surfaces whose material has the image's name.
const namesakes = (model, path) =>
  model.parts.flatMap(({ surfaces, materials }) =>
    surfaces
      .filter(
        ({ name, index, materials: own }) =>
          name && [...own, materials[index]?.name ?? ""].some((one) => stemOf(one) === stemOf(path)),
      )
      .map(({ name }) => name),
  );

// Assigns images to the surfaces that dropped .skin files list with their names, and to their namesakes. A single other
// image covers all.
function assignSurfaces(model, added) {
  const images = added.filter(({ path }) => !isSkinFile(path));
  for (const one of images) one.surfaces = namesakes(model, one.path);
  for (const { bytes } of added.filter(({ path }) => isSkinFile(path)))
    for (const line of new TextDecoder().decode(bytes).split("\n")) {
      const [listed, path = ""] = line.split(",").map((word) => word.trim());
      // Quake III drops _1.
      const surfaces = surfacesOf(model).filter((name) => [name, name.replace(/_.$/, "")].includes(listed));
      if (path) images.find((one) => stemOf(one.path) === stemOf(path))?.surfaces.push(...surfaces);
    }
  if (images.length === 1 && images[0].surfaces.length === 0) images[0].surfaces = surfacesOf(model);
}

/** Shows images and .skin files as skins of the current model. */
export async function addSkins(files) {
  const opening = startOpening();
  const added = await readFiles(files.filter(([path]) => SKIN.test(path)));
  const { model } = state;
  if (!isLatest(opening) || added.length === 0) return;
  const oneImage = hasOneImage(model);
  if (!oneImage && surfacesOf(model).length === 0)
    throw new LerpmeshError({ code: "bad-argument", message: T.unnamedSurfaces });
  const chosen = added.find(({ path }) => isSkinFile(path) !== oneImage);
  if (!oneImage) assignSurfaces(model, added);
  for (const { path, bytes } of added) {
    state.files.system.add(path, bytes);
    state.entries.push([path, bytes]);
  }
  await reopen({
    skin: chosen?.path ?? state.skin,
    own: [...state.own, ...added.map(({ path, title, surfaces }) => ({ path, title, surfaces }))],
  });
  if (!oneImage) openTab("skins");
}

// Shows a skin of the model, or an own one, on all surfaces.
const selectSkin = (skin) => reopen({ skin, own: state.own.map((one) => ({ ...one, surfaces: [] })) });

const removeButton = (title, onclick) =>
  makeElement("button", { className: "plain", ariaLabel: T.remove(title), onclick }, "✕");

const removeOwn = (own) => removeButton(own.title, () =>
  reopen({ skin: state.skin === own.path ? null : state.skin, own: state.own.filter((one) => one !== own) }));

function skinItem(title, skin, pressed, own = null) {
  const button = makeElement("button", { onclick: () => selectSkin(skin), ariaPressed: String(pressed) }, title);
  return makeElement("li", { className: own ? "attached" : "" }, button, own && removeOwn(own));
}

// An image for some surfaces of a model with several images.
function surfaceItem(own) {
  const names = surfacesOf(state.model);
  const sets = [[], names, ...names.map((name) => [name])];
  let chosen = sets.findIndex((set) => String(set) === String(own.surfaces));
  if (chosen < 0) chosen = sets.push(own.surfaces) - 1;
  const textOf = (set, i) => (i === 0 ? T.noSurface : i === 1 ? T.allSurfaces : set.join(", "));
  const options = sets.map((set, i) => new Option(textOf(set, i), i, false, i === chosen));
  const list = makeElement("select", { ariaLabel: T.surfacesFor(own.title) }, options);
  list.onchange = () => {
    const changed = { ...own, surfaces: sets[list.value] };
    void reopen({ own: [...state.own.filter((one) => one !== own), changed] }); // the last one covers the others
  };
  return makeElement("li", { className: "attached" }, makeElement("span", {}, own.title), list, removeOwn(own));
}

function skinList() {
  const { skins, currentSkin } = state.model;
  const oneImage = hasOneImage(state.model);
  const choices = state.own.filter(({ path }) => oneImage || isSkinFile(path));
  if (skins.length < 2 && state.own.length === 0) return makeNote(T.noSkins);
  const isOwn = choices.some(({ path }) => path === state.skin);
  return makeElement("ul", {},
    skins.map(({ name, option, skin }, i) => skinItem(name, option ?? skin + 1, !isOwn && i === currentSkin)),
    choices.map((own) => skinItem(own.title, own.path, own.path === state.skin, own)),
    state.own.filter((own) => !choices.includes(own)).map(surfaceItem),
  );
}

function skinForm() {
  const button = withFiles(makeElement("button", {}, T.chooseImage), (files) => addSkins(files).catch(showError), {
    id: "skin-input",
    accept: "image/*,.pcx,.tga,.skin",
  });
  return makeElement("div", { className: "choices" }, button, makeNote(T.skinHint));
}

// ---- Attached models -------------------------------------------------------------------------

const attach = (attached) => reopen({ attached });

// Lists the attached models, each with a button to remove it.
function attachedList() {
  return makeElement("ul", {}, state.attached.map((one) => {
    const remove = () => attach(state.attached.filter((other) => other !== one && other.of !== one.path));
    const texts = [makeElement("span", {}, one.title), makeElement("span", { className: "quiet" }, one.tag)];
    return makeElement("li", { className: "attached" }, texts, removeButton(one.title, remove));
  }));
}

// Returns the names of the tags. Those that several models have are PARENT:TAG.
function tagsOf(model) {
  const all = model.parts.flatMap(({ name, info }) => info.tags.map((tag) => ({ tag, name })));
  const tags = [
    ...new Set(
      all.map(({ tag, name }) => (all.some((one) => one.tag === tag && one.name !== name) ? `${name}:${tag}` : tag)),
    ),
  ];
  return tags.sort((a, b) => Number(/weapon/i.test(b)) - Number(/weapon/i.test(a)));
}

// Adds a weapon's barrel, as the games do.
function withBarrel(entry, tag) {
  const barrel = library.models.find((one) => pathOf(one) === pathOf(entry).replace(/(\.\w+)$/, "_barrel$1"));
  const attached = [{ tag, path: entry.path, title: entry.title }];
  if (barrel) attached.push({ tag: "tag_barrel", path: barrel.path, title: barrel.title, of: entry.path });
  return attached;
}

function modelChoice(tag) {
  const ownWeapons = library.weaponsOf(state.entry);
  const pieces = library.piecesOf(state.entry, state.model);
  const all = [
    ...pieces,
    ...ownWeapons,
    ...library.models.filter((one) => !one.player && one !== state.entry && !IMPORTED.test(one.path)),
  ];
  const weapons = all.filter(
    (one) => ownWeapons.includes(one) || (WEAPONS.test(pathOf(one)) && !WEAPON_PART.test(one.title)),
  );
  const group = (label, entries) =>
    entries.length > 0 &&
    makeElement(
      "optgroup",
      { label },
      entries.map((one) => new Option(one.title, one.path)),
    );
  const list = makeElement(
    "select",
    { ariaLabel: T.attachModel, hidden: all.length === 0 },
    new Option(T.choose, ""),
    group(T.pieces, pieces),
    group(T.weapons, weapons),
    group(
      T.otherModels,
      all.filter((one) => !pieces.includes(one) && !weapons.includes(one)),
    ),
  );
  list.onchange = () => {
    const entry = all.find((one) => one.path === list.value);
    const at = entry?.tag ?? tag.value;
    if (entry) attach([...state.attached.filter((one) => one.tag !== at), ...withBarrel(entry, at)]);
  };
  return list;
}

/** Attaches the first model of some files to the current model. */
export async function attachFiles(entries) {
  const tag = document.getElementById("attach-tag")?.value ?? "";
  const opening = startOpening();
  const folder = `attached/${state.entries.length}`; // unique per drop
  const all = [...state.entries, ...entries.map(([path, file]) => [`${folder}/${path}`, file])];
  const files = await Files.from(all);
  const found = (await files.models(folder)).find((one) => !one.problem);
  if (!isLatest(opening) || !found) {
    files.dispose();
    return isLatest(opening) && showMessage(T.noModels);
  }
  state.files.dispose();
  Object.assign(state, { entries: all, files, source: null });
  await attach([
    ...state.attached.filter((one) => one.tag !== tag),
    { tag, path: found.path, title: titleOfPath(found.path) },
  ]);
}

function attachForm() {
  const tags = tagsOf(state.model);
  const options = [...tags.map((name) => new Option(name, name)), new Option(T.noTag, "")];
  const tag = makeElement("select", { ariaLabel: T.attachTag, id: "attach-tag" }, options);
  const button = withFiles(makeElement("button", {}, T.attachFile), (files) => attachFiles(files).catch(showError), {
    id: "attach-input",
  });
  return makeElement("div", { id: "attach" }, tag, modelChoice(tag), button, makeNote(T.attachHint));
}

export function skinsPanel() {
  return [
    makeElement("h2", {}, T.skins),
    skinList(),
    skinForm(),
    makeElement("h2", {}, T.attached),
    attachedList(),
    attachForm(),
  ];
}
