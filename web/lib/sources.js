// Opens the model that the component's attributes name. Files are fetched once, and a missing skin or attachment does
// not prevent the model from opening.

import { Progress, fetchBytes } from "./fetch.js";
import { Files } from "./index.js";
import { LerpmeshError } from "./module.js";
import { fetchTextures, openAndFind } from "./textures.js";

const ARCHIVE = /^([^?#]*\.(?:pk3|pak|zip)):(.+)$/i;
const ATTACHMENT = /^(?:([\w-]+)=)?(.+)$/;

/** Parses "tag_weapon=gun.md3 tag_flag=flag.md3": { tag, source } each; without a tag, it shows the model's frames. */
function readAttachments(text) {
  return (text ?? "").split(/\s+/).filter(Boolean).map((one) => {
    const [, tag = "", source] = ATTACHMENT.exec(one) ?? [];
    return { tag, source };
  });
}

const nameOf = (url) => decodeURIComponent(url.pathname.split("/").pop()) || "model";

// Returns all selections of extras, from all of them to none.
function selectionsOf(extras) {
  const names = Object.keys(extras);
  return names.reduceRight((selections, name) => [...selections.map((one) => ({ [name]: extras[name], ...one })), ...selections], [{}]);
}

// Reports the diagnostics about a skin: C opens the model without it.
function reportSkin(model, skin, report) {
  for (const one of model.diagnostics) if (one.subject === "texture" && one.message.includes(skin)) report(new LerpmeshError(one));
}

// Opens with as many of the extras as possible. `report` receives the error of the others.
async function openWithMost(openWith, extras, report) {
  let first;
  for (const selection of selectionsOf(extras)) {
    try {
      const model = await openWith(selection);
      if (first) report(first);
      if (selection.skins) reportSkin(model, selection.skins[0], report);
      return model;
    } catch (error) {
      if (error.code === undefined || Object.keys(selection).length === 0) throw error;
      first ??= error;
    }
  }
}

export class Source {
  #fetched = new Map(); // URL: a promise of bytes
  #files = null; // a promise of the archive's Files
  #disposed = new AbortController();
  #fetching; // options of fetchBytes()

  /**
   * `src` and the sources of skins and attachments are relative to `base`, or paths in the archive. `onProgress` receives
   * { loaded, total }.
   */
  constructor(src, base, onProgress) {
    this.src = src;
    this.base = base;
    this.archive = ARCHIVE.exec(src);
    this.#fetching = { signal: this.#disposed.signal, progress: new Progress(onProgress) };
  }

  #url(text) {
    try {
      return new URL(text, this.base);
    } catch (error) {
      throw new LerpmeshError({ code: "bad-argument", message: `"${text}" is not a URL` }, { cause: error });
    }
  }

  #fetch(url) {
    const { href } = url;
    if (!this.#fetched.has(href)) {
      const bytes = fetchBytes(href, this.#fetching);
      this.#fetched.set(href, bytes);
      bytes.catch(() => this.#fetched.delete(href));
    }
    return this.#fetched.get(href);
  }

  /**
   * Opens the model. `skin` and `attach` are texts of attributes, `choice` has options of open() for a chosen skin.
   * `report` receives the errors of what is missing.
   */
  async open({ skin, attach, choice = {} }, report) {
    const attachments = readAttachments(attach);
    return this.archive ? this.#openMember(skin, attachments, choice, report) : this.#openLoose(skin, attachments, choice, report);
  }

  // ---- Archives ----------------------------------------------------------------------------------

  async #makeFiles() {
    const bytes = await fetchBytes(this.#url(this.archive[1]).href, this.#fetching);
    return Files.from([["archive.pk3", bytes]]);
  }

  async #openMember(skin, attachments, choice, report) {
    const made = (this.#files ??= this.#makeFiles());
    made.catch(() => (this.#files = this.#files === made ? null : this.#files));
    const files = await made;
    const pathOf = (path) => `archive.pk3:${path}`;
    const extras = {};
    if (skin) extras.skins = [skin];
    if (attachments.length) extras.attach = attachments.map(({ tag, source }) => ({ tag, path: pathOf(source) }));
    return openWithMost((selection) => files.open(pathOf(this.archive[2]), { related: true, ...selection, ...choice }), extras, report);
  }

  // ---- Loose files -------------------------------------------------------------------------------

  // Fetches a file at a URL, under `folder`. Returns its error if it is missing.
  async #fetchExtra(text, folder) {
    try {
      const url = this.#url(text);
      return { url, folder, path: folder + nameOf(url), bytes: await this.#fetch(url) };
    } catch (error) {
      this.#disposed.signal.throwIfAborted();
      return { error };
    }
  }

  async #openLoose(skin, attachments, choice, report) {
    const url = this.#url(this.src);
    const [bytes, image, ...others] = await Promise.all([
      this.#fetch(url),
      skin ? this.#fetchExtra(skin, "") : {},
      ...attachments.map(({ source }, i) => this.#fetchExtra(source, `attached/${i}/`)),
    ]);
    for (const { error } of [image, ...others]) if (error) report(error);
    const found = others.filter(({ bytes }) => bytes);
    const extras = {};
    if (image.bytes) extras.skins = [image.path];
    if (found.length) extras.attach = attachments.map(({ tag }, i) => ({ tag, path: others[i].path })).filter(({ path }) => path);
    const files = [image, ...found].filter(({ bytes }) => bytes).map((one) => [one.path, one.bytes]);
    const folders = [{ url, folder: "" }, ...found];
    return openWithMost((selection) => this.#openTextured(bytes, folders, { name: nameOf(url), files, ...selection, ...choice }), extras, report);
  }

  // Opens a model with the textures that are in the folders of its parts.
  async #openTextured(bytes, folders, options) {
    return openAndFind(bytes, options, async ({ parts }) => {
      const partsIn = (folder) => parts.filter(({ path }) => (folder === "" ? !path.startsWith("attached/") : path.startsWith(folder)));
      const textures = await Promise.all(folders.map(async ({ url, folder }) => {
        const all = await fetchTextures({ parts: partsIn(folder) }, url, (address) => address, this.#disposed.signal);
        return all.map(([name, content]) => [folder + name, content]);
      }));
      return textures.flat();
    });
  }

  /** Aborts fetches and releases the files. Open models stay valid. */
  dispose() {
    this.#disposed.abort();
    this.#files?.then((files) => files.dispose(), () => {});
    this.#files = null;
    this.#fetched.clear();
  }
}
