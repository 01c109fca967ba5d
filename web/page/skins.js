// The tab "wear": skins and attached models.
import { Files } from "./lib/index.js";
import { attach, fail, isLast, library, say, state, takeTurn, titleOfPath, wear } from "./app.js";
import { OTHER } from "./kinds.js";
import { make } from "./make.js";
import { STRINGS as T } from "./strings.js";

const WEAPONS = /(^|[/:])weapons2?\//i;
const PIECE = /_(hand|flash|barrel|hole|view|\d)$/i; // a weapon's pieces

const pathOf = (entry) => entry.path.replace(/.*:/, "");
const titled = (entry) => new Option(entry.title, entry.path);

function skinList() {
  const { skins, worn } = state.model;
  if (skins.length < 2) return make("p", T.noSkins, { className: "quiet" });
  const list = make("ul");
  skins.forEach((skin, i) => {
    const button = make("button", skin.name);
    button.setAttribute("aria-pressed", i === worn);
    button.onclick = () => wear(skin.option);
    const item = make("li");
    item.append(button);
    list.append(item);
  });
  return list;
}

// Lists the attached models, each with a button to remove it.
function carriedList() {
  const list = make("ul");
  for (const one of state.attached) {
    const item = make("li", undefined, { className: "carried" });
    const button = make("button", "✕", { className: "plain" });
    button.setAttribute("aria-label", T.takeOff(one.title));
    button.onclick = () => attach(state.attached.filter((other) => other !== one && other.of !== one.path));
    item.append(make("span", one.title), make("span", one.tag, { className: "quiet" }), button);
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
  const carried = [{ tag, path: entry.path, title: entry.title }];
  if (barrel) carried.push({ tag: "tag_barrel", path: barrel.path, title: barrel.title, of: entry.path });
  return carried;
}

function weaponChoice(tag) {
  const own = library.weaponsOf(state.entry);
  const all = [...own, ...library.models.filter((one) => !one.player && one !== state.entry && !OTHER.test(one.path))];
  const weapons = all.filter((one) => own.includes(one) || (WEAPONS.test(pathOf(one)) && !PIECE.test(one.title)));
  const list = make("select", undefined, { ariaLabel: T.attachModel });
  const group = (label, entries) => {
    const element = make("optgroup", undefined, { label });
    element.append(...entries.map(titled));
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
  const mine = takeTurn();
  try {
    const folder = `attached/${state.entries.length}`; // unique per drop
    const all = [...state.entries, ...entries.map(([path, file]) => [`${folder}/${path}`, file])];
    const files = await Files.from(all);
    const found = (await files.models(folder)).find((one) => !one.problem);
    if (!isLast(mine)) return files.dispose();
    if (!found) {
      files.dispose();
      return say(T.noModels);
    }
    state.files.dispose();
    Object.assign(state, { entries: all, files, source: null });
    await attach([...state.attached.filter((one) => one.tag !== tag), { tag, path: found.path, title: titleOfPath(found.path) }]);
  } catch (error) {
    fail(error);
  }
}

function attaching() {
  const tags = tagsOf(state.model);
  const tag = make("select", undefined, { ariaLabel: T.attachTag, id: "attach-tag" });
  tag.append(...tags.map((name) => new Option(name, name)), new Option(T.noTag, ""));
  const input = make("input", undefined, { type: "file", multiple: true, hidden: true, id: "attach-input" });
  const take = () => attachFiles([...input.files].map((file) => [file.name, file]));
  input.onchange = () => void take();
  const button = make("button", T.attachFile);
  button.onclick = () => input.click();
  const box = make("div", undefined, { id: "attach" });
  box.append(tag, weaponChoice(tag), button, input, make("p", T.attachHint, { className: "quiet" }));
  return box;
}

export function skinsPanel() {
  return [make("h2", T.skins), skinList(), make("h2", T.carries), carriedList(), attaching()];
}
