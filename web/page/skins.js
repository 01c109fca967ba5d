// The tab "skins": skins and attached models.
import { Files } from "./lib/index.js";
import { attach, showError, isLatest, library, showMessage, state, startOpening, titleOfPath, selectSkin } from "./app.js";
import { GLTF } from "./extensions.js";
import { makeElement } from "./elements.js";
import { STRINGS as T } from "./strings.js";

const WEAPONS = /(^|[/:])weapons2?\//i;
const WEAPON_PART = /_(hand|flash|barrel|hole|view|\d)$/i;

const pathOf = (entry) => entry.path.replace(/.*:/, "");
const optionOf = (entry) => new Option(entry.title, entry.path);

function skinList() {
  const { skins, currentSkin } = state.model;
  if (skins.length < 2) return makeElement("p", T.noSkins, { className: "quiet" });
  const list = makeElement("ul");
  skins.forEach((skin, i) => {
    const button = makeElement("button", skin.name);
    button.setAttribute("aria-pressed", i === currentSkin);
    button.onclick = () => selectSkin(skin.option);
    const item = makeElement("li");
    item.append(button);
    list.append(item);
  });
  return list;
}

// Lists the attached models, each with a button to remove it.
function attachedList() {
  const list = makeElement("ul");
  for (const one of state.attached) {
    const item = makeElement("li", undefined, { className: "attached" });
    const button = makeElement("button", "✕", { className: "plain" });
    button.setAttribute("aria-label", T.remove(one.title));
    button.onclick = () => attach(state.attached.filter((other) => other !== one && other.of !== one.path));
    item.append(makeElement("span", one.title), makeElement("span", one.tag, { className: "quiet" }), button);
    list.append(item);
  }
  return list;
}

function tagsOf(model) {
  const tags = [...new Set(model.parts.flatMap((part) => part.info.tags))];
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
  const all = [...ownWeapons, ...library.models.filter((one) => !one.player && one !== state.entry && !GLTF.test(one.path))];
  const weapons = all.filter((one) => ownWeapons.includes(one) || (WEAPONS.test(pathOf(one)) && !WEAPON_PART.test(one.title)));
  const list = makeElement("select", undefined, { ariaLabel: T.attachModel });
  const group = (label, entries) => {
    const element = makeElement("optgroup", undefined, { label });
    element.append(...entries.map(optionOf));
    if (entries.length) list.append(element);
  };
  list.append(new Option(T.choose, ""));
  group(T.weapons, weapons);
  group(T.otherModels, all.filter((one) => !weapons.includes(one)));
  list.onchange = () => {
    const entry = all.find((one) => one.path === list.value);
    if (entry) attach([...state.attached.filter((one) => one.tag !== tag.value), ...withBarrel(entry, tag.value)]);
  };
  list.hidden = all.length === 0;
  return list;
}

/** Attaches the first model of some files to the current model. */
export async function attachFiles(entries) {
  const tag = document.getElementById("attach-tag")?.value ?? "";
  const opening = startOpening();
  try {
    const folder = `attached/${state.entries.length}`; // unique per drop
    const all = [...state.entries, ...entries.map(([path, file]) => [`${folder}/${path}`, file])];
    const files = await Files.from(all);
    const found = (await files.models(folder)).find((one) => !one.problem);
    if (!isLatest(opening)) return files.dispose();
    if (!found) {
      files.dispose();
      return showMessage(T.noModels);
    }
    state.files.dispose();
    Object.assign(state, { entries: all, files, source: null });
    await attach([...state.attached.filter((one) => one.tag !== tag), { tag, path: found.path, title: titleOfPath(found.path) }]);
  } catch (error) {
    showError(error);
  }
}

function attachForm() {
  const tags = tagsOf(state.model);
  const tag = makeElement("select", undefined, { ariaLabel: T.attachTag, id: "attach-tag" });
  tag.append(...tags.map((name) => new Option(name, name)), new Option(T.noTag, ""));
  const input = makeElement("input", undefined, { type: "file", multiple: true, hidden: true, id: "attach-input" });
  input.onchange = () => void attachFiles([...input.files].map((file) => [file.name, file]));
  const button = makeElement("button", T.attachFile);
  button.onclick = () => input.click();
  const box = makeElement("div", undefined, { id: "attach" });
  box.append(tag, modelChoice(tag), button, input, makeElement("p", T.attachHint, { className: "quiet" }));
  return box;
}

export function skinsPanel() {
  return [makeElement("h2", T.skins), skinList(), makeElement("h2", T.attached), attachedList(), attachForm()];
}
