// Opens files, and the models of the library.
import { Files } from "../lib/index.js";
import { ARCHIVE, IMPORTED, nameOf } from "./files.js";
import { Library } from "./library.js";
import {
  $,
  events,
  isLatest,
  openTab,
  show,
  showError,
  showMessage,
  showReading,
  startOpening,
  state,
  titleOf,
  worker,
} from "./state.js";
import { STRINGS as T } from "./strings.js";

const DEFAULT_CAMERA = { azimuth: 30, elevation: 15 };

export const library = new Library($("library"), worker, (entry) => openEntry(entry));

/**
 * Opens files, [path, Blob, bytes or Remote] each, then shows the first model, or `wanted`. `handles`: those of the
 * files or folders that the user chose, to open them again; null: forgets them.
 */
export async function openFiles(entries, { wanted = null, source = null, handles = [] } = {}) {
  if (entries.length === 0) return;
  const opening = startOpening();
  let files = null;
  showReading(nameOf(entries[0][0]));
  try {
    files = await Files.from(entries);
    const listed = await worker.request("models", { paths: rootsOf(entries) }, { entries });
    if (!isLatest(opening)) return files.dispose();
    if (!wanted?.entry && listed.every((one) => one.problem))
      throw await (await import("./failures.js")).noModelsError(entries, listed);
    state.files?.dispose();
    Object.assign(state, { entries, files, source });
    files = null;
    const models = library.fill(listed);
    showMessage(null);
    const first = { entry: models[0], ...wanted };
    await openEntry(first.entry, first);
    if (handles)
      events.dispatchEvent(new CustomEvent("opened", { detail: { entries, handles, href: source && location.hash } }));
    const unreadable = listed.filter((one) => one.problem);
    if (unreadable.length && isLatest(opening) && $("message").hidden)
      showMessage(T.unreadable(unreadable.length), { details: unreadable.map((one) => `${one.path}: ${one.problem}`) });
  } catch (error) {
    files?.dispose();
    if (!isLatest(opening)) return;
    showError(error);
  }
}

// Lists each archive by its path, and all other files as one folder.
function rootsOf(entries) {
  const archives = entries.map(([path]) => path).filter((path) => ARCHIVE.test(path));
  return archives.length === entries.length ? archives : [".", ...archives];
}

/** Returns whether an attached model replaces the weapon.md2 of a player. */
export const isArmed = ({ path }, attached) => /\.md2$/i.test(path) && attached.some(({ tag }) => !tag);

const openFile = (files, path, options) => files.open(path, options);

/**
 * Opens an entry of the library. `repair`: opens the intact parts of a damaged model. `open`: opens the model, perhaps
 * without some of the skins and attached models.
 */
export async function openEntry(
  entry,
  { skin = null, attached = [], repair = false, own = [], open = openFile, ...view } = {},
) {
  const opening = startOpening();
  try {
    const ownSkins = own.flatMap(({ path, surfaces }) => surfaces.map((surface) => `${surface}=${path}`));
    const [skins, listedSkin] = typeof skin === "number" ? [ownSkins, skin] : [[skin, ...ownSkins].filter(Boolean)];
    const armed = isArmed(entry, attached);
    const { files } = state;
    const imported = IMPORTED.test(entry.path) ? await worker.request("import", { path: entry.path }) : null;
    for (const [name, bytes] of imported?.files ?? []) files.system.add(name, bytes);
    const path = imported?.path ?? (armed ? entry.path : (entry.player ?? entry.path));
    if (!isLatest(opening)) return;
    const model = await open(files, path, { related: !armed, skins, listedSkin, attach: attached, repair });
    if (!isLatest(opening)) return model.dispose();
    state.imported = imported?.messages ?? null;
    const opened = { // without what `open` left out
      skin: typeof skin === "string" && !model.options.skins.includes(skin) ? null : skin,
      attached: attached.filter((one) => model.options.attach.includes(one)),
    };
    await showModel(model, { entry, repair, own, ...opened, ...view });
    library.select(entry);
  } catch (error) {
    if (!isLatest(opening)) return;
    await showUnreadable(entry);
    const showIntact = () => openEntry(entry, { repair: true });
    await import("./failures.js")
      .then(({ explain }) => explain(entry, error, opening, showIntact))
      .catch(() => showError(error));
  }
}

/** Opens the current model again with another `skin`, `own` or `attached`. */
export function reopen(changes) {
  const { skin, own, attached, repair } = state;
  return openEntry(state.entry, { skin, own, attached, repair, ...changes });
}

// Shows problems and bytes of a file that does not open as a model.
async function showUnreadable(entry) {
  const previous = state.model;
  Object.assign(state, { model: null, entry, skin: null, own: [], attached: [], repair: false });
  await show.show(null);
  previous?.dispose();
  library.select(entry);
  document.body.classList.add("no-view");
  document.title = T.pageTitle(titleOf());
  showReading(null);
  openTab("problems");
}

async function showModel(model, { entry, skin, attached, repair, own, clip, playing = true }) {
  const previous = state.model;
  const same = previous && state.entry === entry;
  const wanted = clip === undefined && same ? (previous.clip?.name ?? null) : clip; // null: all frames
  Object.assign(state, { model, entry, skin, attached, repair, own });
  document.body.classList.toggle("no-view", Boolean(show.graphicsError)); // sizes the canvas before drawing
  if (!same) show.camera = DEFAULT_CAMERA;
  await show.show(model, {
    clip: wanted === null || (wanted && model.hasClip(wanted)) ? wanted : model.restClip,
    playing: playing && !matchMedia("(prefers-reduced-motion: reduce)").matches,
    keepCamera: Boolean(same),
  });
  document.body.classList.toggle("no-view", Boolean(show.graphicsError));
  showMessage(show.graphicsError ? T.noWebGl : null);
  previous?.dispose();
  show.playback = state.pace;
}
