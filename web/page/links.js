// Opens links, and makes a link to the current view.
import { fetchBytes, fetchPieces } from "./lib/fetch.js";
import { LerpmeshError } from "./lib/module.js";
import { ARCHIVE } from "./extensions.js";
import { isLatest, openFiles, show, showReading, state, titleOfPath } from "./app.js";
import { STRINGS as T } from "./strings.js";

export async function openLink(link, opening) {
  const address = addressOf(link.get("model"));
  showReading(address.pathname.split("/").pop());
  const [href, inside] = splitArchive(address.href);
  const name = nameOf(href);
  const entries = [[name, ARCHIVE.test(name) ? await fetchPieces(href) : await fetchBytes(href)]];
  const view = viewOf(link);
  const source = { href };
  if (view.skin && !ARCHIVE.test(name)) {
    const skin = new URL(view.skin, href);
    source.skin = view.skin;
    view.skin = nameOf(skin);
    entries.push([view.skin, await fetchBytes(skin)]);
  }
  if (!isLatest(opening)) return;
  const path = inside ? `${name}:${inside}` : name;
  const wanted = inside || !ARCHIVE.test(name) ? { entry: { path, title: titleOfPath(path) }, ...view } : null;
  await openFiles(entries, { wanted, source });
}

function addressOf(text) {
  try {
    return new URL(text, location.href);
  } catch {
    throw new LerpmeshError({ code: "bad-argument", message: T.noAddress(text) });
  }
}

const splitArchive = (href) => /^(.*\.(?:pk3|pak|zip)):(.+)$/i.exec(href)?.slice(1) ?? [href, null];
const nameOf = (address) => decodeURIComponent(new URL(address).pathname.split("/").pop());

// Parses "TAG=PATH".
function readAttached(text) {
  const [tag, ...path] = text.split("=");
  return { tag, path: path.join("="), title: titleOfPath(path.join("=")) };
}

// "clip=" without a name means all frames.
function viewOf(link) {
  const view = { skin: link.get("skin"), attached: link.getAll("attach").map(readAttached) };
  if (link.has("clip")) view.clip = link.get("clip") || null;
  if (link.get("frame")) view.frame = Number(link.get("frame"));
  const [azimuth, elevation] = (link.get("camera") ?? "").split(",").map(Number);
  if (Number.isFinite(azimuth) && Number.isFinite(elevation)) view.camera = { azimuth, elevation };
  return view;
}

/** Returns a link to the current view, even if its model is not the one that the last link named. */
export function linkToView() {
  const { source, entry, model, skin, attached } = state;
  const inside = /:(.*)/.exec(entry.player ?? entry.path)?.[1];
  const link = new URLSearchParams({ model: inside ? `${source.href}:${inside}` : source.href });
  if (model.clip || model.clips.length) link.set("clip", model.clip?.name ?? "");
  if (skin) link.set("skin", source.skin && nameOf(new URL(source.skin, source.href)) === skin ? source.skin : skin);
  for (const { tag, path } of attached) link.append("attach", `${tag}=${path}`);
  if (!show.playing) link.set("frame", String(Math.round(model.position * 100) / 100));
  const { azimuth, elevation } = show.camera ?? {};
  if (azimuth !== undefined) link.set("camera", `${Math.round(azimuth)},${Math.round(elevation)}`);
  return `${location.href.split("#")[0]}#${String(link).replaceAll("+", "%20").replaceAll("%2B", "+")}`;
}
