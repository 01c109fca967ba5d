// Models of a server: with the textures in their folders, for three.js and Babylon.js, and with what the component's
// attributes name. Files are fetched once, and a missing skin or attachment does not prevent a model from opening.

import { LerpmeshError } from "./errors.js";
import { Progress, fetchBeside, fetchBytes, fetchPieces } from "./fetch.js";
import { MemoryFiles } from "./files.js";
import { Files, open } from "./index.js";
import { imageNamesOf, nameOfUrl as nameOf } from "./input.js";

export { nameOf };

// ---- Textures ------------------------------------------------------------------------------------

const MAX_TEXTURES = 16; // at once

/**
 * Files of a server. Servers list no folders, so Files.open() asks for the textures that a model lacks: complete()
 * tries their names with each extension.
 */
export class WebFiles extends MemoryFiles {
  #folders = new Map(); // path: URL
  #tried = new Set(); // paths of textures

  /** `resolve` maps each URL to the one to fetch. */
  constructor(resolve = (url) => url) {
    super();
    this.resolve = resolve;
  }

  /** Textures of the models in a folder are fetched from the folder of `address`. */
  addFolder(folder, address) {
    this.#folders.set(folder, address);
  }

  // Fetches a texture. Returns true if it is there.
  async #fetch(folder, file, signal) {
    for (const name of imageNamesOf(file)) {
      const bytes = signal?.aborted ? null : await fetchBeside(name, this.#folders.get(folder), this.resolve, signal);
      if (bytes) this.add(folder + name, bytes);
      if (bytes) return true;
    }
    return false;
  }

  /** Fetches textures that a model lacks. Returns true if it found some. */
  async complete({ parts }, { signal }) {
    const missing = new Map();
    for (const { path, textures } of parts) {
      const folder = path.replace(/[^/]*$/, "");
      for (const texture of this.#folders.has(folder) ? textures : []) {
        const file = texture.name.split(/[/\\]/).pop();
        if (!texture.path && !this.#tried.has(folder + file)) missing.set(folder + file, [folder, file]);
      }
    }
    const wanted = [...missing].slice(0, MAX_TEXTURES);
    for (const [path] of wanted) this.#tried.add(path);
    const found = await Promise.all(wanted.map(([, [folder, file]]) => this.#fetch(folder, file, signal)));
    signal?.throwIfAborted();
    return found.includes(true);
  }
}

/**
 * Opens the model at a URL. Fetches the textures that the options of open() do not contain from the model's folder.
 * `resolve` maps each URL to the one to fetch. `source`: the model's bytes, if they are fetched already.
 */
export async function openWithTextures(address, options, resolve, source) {
  const { name = nameOf(address) } = options;
  const system = new WebFiles(resolve);
  system.addFolder(name.replace(/[^/]*$/, ""), address);
  return open(source ?? system.resolve(address.href), { ...options, name, files: options.files ?? [], system });
}

// ---- The component -------------------------------------------------------------------------------

const ARCHIVE = /^([^?#]*\.(?:pk3|pak|zip)):(.+)$/i;
const ATTACHMENT = /^(?:((?:[\w:-]|%[\da-f]{2})+)=)?(.+)$/i;

/** Encodes a path in an archive for URLs and attributes. */
export const encodePath = (path) => encodeURIComponent(path).replace(/%(2F|3A)/g, decodeURIComponent);

/** Decodes it. A sign % that encodes nothing stands for itself. */
export const decodePath = (text) => text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes;
  }
});

/**
 * Parses "tag_weapon=gun.md3 tag_flag=my%20flag.md3": { tag, source } each; without a tag, it shows the model's frames.
 * Sources stay encoded.
 */
function readAttachments(text) {
  return (text ?? "").split(/\s+/).filter(Boolean).map((one) => {
    const [, tag = "", source] = ATTACHMENT.exec(one) ?? [];
    return { tag: decodePath(tag), source };
  });
}

/** Returns the text of the attribute `attach` that names these models: { tag, path in the archive } each. */
export const attachText = (attached) =>
  attached.map(({ tag, path }) => (tag ? `${encodePath(tag)}=` : "") + encodePath(path)).join(" ");

/**
 * Opens a model of Files. If that fails, opens it without skins and attachments, and then again with one more at a
 * time. `report` receives each error with the option's name and the value that caused it.
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
  #onProgress;
  #fetching; // options of fetchBytes()

  /**
   * `src` and the sources of skins and attachments are relative to `base`, or paths in the archive. `onProgress`
   * receives { loaded, total }.
   */
  constructor(src, base, onProgress) {
    this.src = src;
    this.base = base;
    this.archive = ARCHIVE.exec(src);
    this.#onProgress = onProgress;
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
    const steering = { signal: this.#disposed.signal, onProgress: this.#onProgress };
    const open = async (files, path, options) => {
      const model = await openWithMost(files, path, { ...options, ...choice, ...steering }, report);
      // C opens the model without a skin that it cannot read.
      for (const one of model.diagnostics)
        if (
          one.subject === "texture" &&
          (one.code === "bad-option" || options.skins.some((name) => one.message.includes(name)))
        )
          report(new LerpmeshError(one));
      return model;
    };
    return this.archive ? this.#openMember(skin, attachments, open) : this.#openLoose(skin, attachments, open, report);
  }

  // Servers with ranges send what the model needs of an archive.
  async #makeFiles(url) {
    return Files.from([[nameOf(url), await fetchPieces(url.href, this.#fetching)]]);
  }

  // Opens a model in an archive.
  async #openMember(skin, attachments, open) {
    const url = this.#url(this.archive[1]);
    const made = (this.#files ??= this.#makeFiles(url));
    made.catch(() => (this.#files = this.#files === made ? null : this.#files));
    const pathOf = (path) => `${nameOf(url)}:${decodePath(path)}`;
    const attach = attachments.map(({ tag, source }) => ({ tag, path: pathOf(source) }));
    const path = pathOf(this.archive[2]);
    const related = !/\.md2$/i.test(path) || attach.every(({ tag }) => tag); // else it replaces the player's weapon.md2
    return open(await made, path, { related, skins: skin ? [skin] : [], attach });
  }

  // Adds a file at a URL to a folder. Returns its path, or its error if it is missing.
  async #addExtra(system, text, folder) {
    try {
      const url = this.#url(text);
      const path = folder + (nameOf(url) || "model");
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
    const name = nameOf(url) || "model";
    const system = new WebFiles();
    const [bytes, image, ...others] = await Promise.all([
      this.#fetch(url),
      skin ? this.#addExtra(system, skin, "") : null,
      ...attachments.map(({ source }, i) => this.#addExtra(system, source, `attached/${i}/`)),
    ]);
    for (const one of [image, ...others]) if (one?.error) report(one.error);
    system.add(name, bytes);
    system.addFolder("", url);
    const attach = attachments.map(({ tag }, i) => ({ tag, path: others[i].path })).filter(({ path }) => path);
    const files = await Files.from(system);
    try {
      return await open(files, name, { skins: image?.path ? [image.path] : [], attach });
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
