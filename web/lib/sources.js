// Opens the model that the component's attributes name. Files are fetched once, and a missing skin or attachment does
// not prevent the model from opening.

import { Progress, fetchBytes } from "./fetch.js";
import { Files } from "./index.js";
import { LerpmeshError } from "./module.js";
import { WebFiles } from "./textures.js";

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

/**
 * Opens a model of Files. If that fails, opens it without skins and attachments, and then again with one more at a time.
 * `report` receives each error with the option's name and the value that caused it.
 */
export async function openWithMost(files, path, { skins = [], attach = [], ...options }, report) {
  try {
    return await files.open(path, { ...options, skins, attach });
  } catch (error) {
    const extras = [...skins.map((one) => ["skins", one]), ...attach.map((one) => ["attach", one])];
    if (error.code === undefined || extras.length === 0) throw error;
    let kept = { ...options, skins: [], attach: [] };
    let model = await files.open(path, kept);
    for (const [kind, one] of extras)
      try {
        const more = { ...kept, [kind]: [...kept[kind], one] };
        const next = await files.open(path, more);
        model.dispose();
        [model, kept] = [next, more];
      } catch (problem) {
        report(problem, kind, one);
      }
    return model;
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
    const { signal } = this.#disposed;
    const open = async (files, path, options) => {
      const model = await openWithMost(files, path, { ...options, ...choice, signal }, report);
      for (const one of model.diagnostics) // C opens the model without a skin that it cannot read
        if (one.subject === "texture" && options.skins.some((name) => one.message.includes(name))) report(new LerpmeshError(one));
      return model;
    };
    return this.archive ? this.#openMember(skin, attachments, open) : this.#openLoose(skin, attachments, open, report);
  }

  async #makeFiles() {
    return Files.from([["archive.pk3", await fetchBytes(this.#url(this.archive[1]).href, this.#fetching)]]);
  }

  // Opens a model in an archive.
  async #openMember(skin, attachments, open) {
    const made = (this.#files ??= this.#makeFiles());
    made.catch(() => (this.#files = this.#files === made ? null : this.#files));
    const pathOf = (path) => `archive.pk3:${path}`;
    const attach = attachments.map(({ tag, source }) => ({ tag, path: pathOf(source) }));
    return open(await made, pathOf(this.archive[2]), { related: true, skins: skin ? [skin] : [], attach });
  }

  // Adds a file at a URL to a folder. Returns its path, or its error if it is missing.
  async #addExtra(system, text, folder) {
    try {
      const url = this.#url(text);
      const path = folder + nameOf(url);
      system.add(path, await this.#fetch(url));
      if (folder) system.addFolder(folder, url);
      return { path };
    } catch (error) {
      this.#disposed.signal.throwIfAborted();
      return { error };
    }
  }

  // Opens a model that is a file of its own.
  async #openLoose(skin, attachments, open, report) {
    const url = this.#url(this.src);
    const system = new WebFiles();
    const [bytes, image, ...others] = await Promise.all([
      this.#fetch(url),
      skin ? this.#addExtra(system, skin, "") : {},
      ...attachments.map(({ source }, i) => this.#addExtra(system, source, `attached/${i}/`)),
    ]);
    for (const { error } of [image, ...others]) if (error) report(error);
    system.add(nameOf(url), bytes);
    system.addFolder("", url);
    const attach = attachments.map(({ tag }, i) => ({ tag, path: others[i].path })).filter(({ path }) => path);
    const files = await Files.from(system);
    try {
      return await open(files, nameOf(url), { skins: image.path ? [image.path] : [], attach });
    } finally {
      files.dispose();
    }
  }

  /** Aborts fetches and releases the files. Open models stay valid. */
  dispose() {
    this.#disposed.abort();
    this.#files?.then((files) => files.dispose(), () => {});
    this.#files = null;
    this.#fetched.clear();
  }
}
