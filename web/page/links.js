// Opens links, and makes a link to the current view.
import { fetchBytes, fetchPieces } from "../lib/fetch.js";
import { LerpmeshError } from "../lib/errors.js";
import { attachText, decodePath, encodePath, nameOf, openWithMost } from "../lib/sources.js";
import { MODES } from "../lib/model.js";
import { SHADES } from "../lib/stage.js";
import { ARCHIVE, listSamples, readSample, titleOfPath } from "./files.js";
import { isArmed, openFiles } from "./open.js";
import { isLatest, isStill, setPace, show, showMessage, showReading, state, TOGGLES } from "./state.js";
import { STRINGS as T } from "./strings_later.js";

// The parts of a link besides its model.
const PARTS = ["clip", "skin", "listedSkin", "attach", "frame", "speed", "mode", "camera", "shade", "environment",
  "exposure", "background", "show"];

/** Opens a link. Parts of the view that do not fit are ignored and reported. */
export async function openLink(link, opening) {
  const ignored = [];
  const sample = link.get("sample");
  const parts = [sample ? "sample" : "model", ...PARTS];
  if (!sample && !link.get("model"))
    throw new LerpmeshError({ code: "bad-argument", message: T.noModelInLink([...link.keys()].join(", ")) });
  for (const [part, value] of link)
    if (!parts.includes(part)) ignored.push(T.ignoredPart(`${part}=${value}`, T.partsOfLink(parts.join(", "))));
  const view = viewOf(link, ignored);
  const fetched = await (sample ? fetchSample(sample) : fetchModel(link.get("model"), view, ignored));
  const { entries, source, entry } = fetched;
  if (!isLatest(opening)) return;
  const before = state.model;
  const wanted = { ...(entry && { entry }), ...view, open: openerWithout(ignored) };
  await openFiles(entries, { wanted, source, ...(sample && { handles: null }) });
  if (!state.model || state.model === before || state.source !== source) return;
  applyView(view, ignored);
  if ([view.environment, view.exposure, view.background].some((word) => word !== null))
    await (await import("./light.js")).applyLight(view, source.href ?? location.href, ignored);
  if (ignored.length) showMessage(ignored.join(" "));
}

// Fetches a model of the gallery.
async function fetchSample(name) {
  showReading(titleOfPath(name));
  const samples = await listSamples();
  const sample = samples.find((one) => one.name === name);
  if (sample) return { entries: await readSample(sample), source: { sample: name } };
  throw new LerpmeshError({
    code: "bad-argument",
    message: T.noSample(name, samples.map((one) => one.name).join(", ")),
  });
}

// Fetches a model, or the archive that contains it, and its skin.
async function fetchModel(text, view, ignored) {
  const address = addressOf(text);
  showReading(address.pathname.split("/").pop());
  const [href, inside] = splitArchive(address.href);
  const name = nameOf(new URL(href));
  const entries = [[name, ARCHIVE.test(name) ? await fetchPieces(href) : await fetchBytes(href)]];
  const source = { href };
  if (typeof view.skin === "string" && view.skin && !ARCHIVE.test(name)) {
    source.skin = view.skin;
    view.skin = await fetchSkin(view.skin, href, entries, ignored);
  }
  const path = inside ? `${name}:${decodePath(inside)}` : name;
  const entry = inside || !ARCHIVE.test(name) ? { path, title: titleOfPath(path) } : undefined;
  return { entries, source, entry };
}

// Fetches a skin's image and adds it to the files. Returns its name, or null.
async function fetchSkin(skin, href, entries, ignored) {
  try {
    const address = new URL(skin, href);
    entries.push([nameOf(address), await fetchBytes(address)]);
    return nameOf(address);
  } catch (error) {
    ignored.push(T.ignoredPart(`skin=${skin}`, error.message));
    return null;
  }
}

// Opens a model, without the skins and attached models that fail.
const openerWithout = (ignored) => (files, path, options) =>
  openWithMost(files, path, options, ({ message }, kind, one) =>
    ignored.push(T.ignoredPart(kind === "skins" ? `skin=${one}` : `attach=${one.tag}=${one.path}`, message)));

const SHOWN = Object.keys(TOGGLES); // names for "show="

// Sets what does not need to be known before the model opens.
function applyView({ clip, frame, speed, mode, camera, shade, shown }, ignored) {
  const { model } = state;
  const wrongSkin = model.diagnostics.find(({ code, subject }) => code === "bad-option" && subject === "texture");
  if (wrongSkin) {
    ignored.push(T.ignoredPart(`listedSkin=${state.skin}`, wrongSkin.message));
    state.skin = null;
  }
  const clips = [...new Set(model.clips.map(({ name }) => name))];
  const wrongClip = clip && !clips.includes(clip) && clip.split("+").find((one) => !model.hasClip(one));
  if (wrongClip) ignored.push(T.ignoredClip(wrongClip, clips.join(", ")));
  const count = model.clip?.count ?? model.parts[0].frames;
  if (frame !== null && frame !== "" && Number(frame) >= 0 && Number(frame) < count) {
    show.playing = false;
    show.seek(Number(frame));
  } else if (frame !== null) ignored.push(T.ignoredFrame(frame, count));
  if (Number(speed) > 0 && Number(speed) < Infinity) setPace({ speed: Number(speed) });
  else if (speed !== null) ignored.push(T.ignoredChoice(`speed=${speed}`, T.factor));
  if (MODES.includes(mode)) setPace({ mode });
  else if (mode !== null) ignored.push(T.ignoredChoice(`mode=${mode}`, MODES.join(", ")));
  const [azimuth, elevation] = (camera ?? "").split(",").map((word) => (word.trim() ? Number(word) : NaN));
  if (camera === "eye") show.view("eye");
  else if (Number.isFinite(azimuth) && Number.isFinite(elevation)) show.camera = { azimuth, elevation };
  else if (camera !== null) ignored.push(T.ignoredCamera(camera));
  if (SHADES.includes(shade)) show.set({ shade });
  else if (shade !== null) ignored.push(T.ignoredChoice(`shade=${shade}`, SHADES.join(", ")));
  if (shown === null) return;
  const names = shown.split(",").filter(Boolean);
  show.set(Object.fromEntries(SHOWN.map((name) => [name, names.includes(name)])));
  for (const name of names) if (!SHOWN.includes(name)) ignored.push(T.ignoredChoice(`show=${name}`, SHOWN.join(", ")));
}

function addressOf(text) {
  try {
    return new URL(text, location.href);
  } catch {
    throw new LerpmeshError({ code: "bad-argument", message: T.noAddress(text) });
  }
}

const splitArchive = (href) => /^(.*\.(?:pk3|pak|zip)):(.+)$/i.exec(href)?.slice(1) ?? [href, null];

// Parses "TAG=PATH".
function readAttached(text) {
  const [tag, ...path] = text.split("=");
  return { tag, path: path.join("="), title: titleOfPath(path.join("=")) };
}

// "clip=" without a name means all frames.
function viewOf(link, ignored) {
  const view = { skin: link.get("skin"), attached: link.getAll("attach").map(readAttached) };
  const listed = link.get("listedSkin");
  if (/^[1-9]\d*$/.test(listed)) view.skin = Number(listed);
  else if (listed !== null) ignored.push(T.ignoredChoice(`listedSkin=${listed}`, T.numberFrom1));
  if (link.has("clip")) view.clip = link.get("clip") || null;
  return {
    ...view,
    frame: link.get("frame"),
    speed: link.get("speed"),
    mode: link.get("mode"),
    camera: link.get("camera"),
    shade: link.get("shade"),
    shown: link.get("show"),
    environment: link.get("environment"),
    exposure: link.get("exposure"),
    background: link.get("background"),
  };
}

// Returns the current model's part of an archive, or undefined, and its URL: in an archive, with that part.
function addressOfModel() {
  const { source, entry, attached } = state;
  const inside = /:(.*)/.exec(isArmed(entry, attached) ? entry.path : (entry.player ?? entry.path))?.[1];
  return { inside, address: inside ? `${source.href}:${encodePath(inside)}` : source.href };
}

// Returns the direction of the view, as links name it; null if the browser cannot draw.
function cameraWords() {
  const { azimuth, elevation } = show.camera ?? {};
  return azimuth === undefined ? null : show.options.eye ? ["eye"] : [Math.round(azimuth), Math.round(elevation)];
}

// Returns the name or the URL of the skin; null: the default, one of the model's list, or an image of the user's.
function skinWord() {
  const { source, skin, own } = state;
  if (typeof skin !== "string" || own.some(({ path }) => path === skin)) return null;
  return source.skin && nameOf(new URL(source.skin, source.href)) === skin ? source.skin : skin;
}

// Returns the light and the backdrop, without those of the page at first and an image of the user's: [name, word] each.
const lightWords = () =>
  Object.entries({
    environment: typeof state.environment === "string" ? state.environment : null,
    exposure: (show.options.exposure ?? 1) === 1 ? null : String(show.options.exposure),
    background: state.backdrop,
  });

// Returns the frame at which the view is paused, or null.
function frameWord() {
  const { model } = state;
  return show.playing || isStill(model) ? null : String(Math.round(model.position * 100) / 100);
}

// Returns the speed and what happens at the end of a clip, without the usual ones: [name, word] each.
function paceWords() {
  const { speed, mode } = state.model.playback;
  const still = isStill(state.model);
  return [
    ["speed", still || speed === 1 ? null : String(Number(speed.toFixed(2)))],
    ["mode", still || mode === "clip" ? null : mode],
  ];
}

/** Returns a link to the current view, even if its model is not the one that the last link named. */
export function linkToView() {
  const { source, model, skin, attached } = state;
  const link = new URLSearchParams(source.sample ? { sample: source.sample } : { model: addressOfModel().address });
  const set = (name, word) => word !== null && link.set(name, word);
  if (model.clips.length && !isStill(model)) link.set("clip", model.clip?.name ?? "");
  if (typeof skin === "number") link.set("listedSkin", skin);
  set("skin", skinWord());
  for (const { tag, path } of attached) link.append("attach", `${tag}=${path}`);
  set("frame", frameWord());
  for (const [name, word] of paceWords()) set(name, word);
  set("camera", cameraWords()?.join() ?? null);
  const { shade } = show.options;
  const shown = SHOWN.filter((name) => show.options[name]).join(",");
  if (shade !== "studio") link.set("shade", shade);
  if (shown !== "shadow") link.set("show", shown);
  for (const [name, word] of lightWords()) set(name, word);
  return `${location.href.split("#")[0]}#${String(link).replaceAll("+", "%20").replaceAll("%2B", "+")}`;
}

/** Returns HTML that shows the model in the current view on another page. */
export function embedCode() {
  const { source, model, skin, attached } = state;
  const { inside, address } = addressOfModel();
  const word = skinWord();
  const attributes = {
    src: address,
    clip: isStill(model) || model.clips.length === 0 ? null : (model.clip?.name ?? ""),
    skin: typeof skin === "number" ? `#${skin}` : word && !inside ? new URL(word, source.href).href : word,
    attach: attachText(attached.map(({ tag, path }) => ({ tag, path: path.replace(/^[^:]*:/, "") }))) || null,
    frame: frameWord(),
    ...Object.fromEntries(paceWords()),
    camera: cameraWords()?.join(" ") ?? null,
    shade: show.options.shade === "studio" ? null : show.options.shade,
    ...Object.fromEntries(lightWords()),
  };
  const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const text = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join("");
  return `<!-- ${T.embedComment} -->\n<script type="module" src="lerpmesh/view.js"></script>\n<lerpmesh-view${text}` +
    `${show.playing ? " autoplay" : ""}></lerpmesh-view>\n`;
}
