// The clip lists of the timeline: one, or for a player two, for legs and torso.
import { STRINGS as T } from "./strings.js";

// Returns the animated parts that have clips, and only one of those with the same clips: { part, names }.
function rowsOf(model) {
  const rows = [];
  for (const part of model.parts) {
    const names = [...new Set(model.clips.filter((clip) => clip.part === part.index).map((clip) => clip.name))];
    if (names.length && (part.frames > 1 || rows.length === 0) && !rows.some((row) => row.names.join("\0") === names.join("\0"))) rows.push({ part, names });
  }
  return rows;
}

// Returns the clip that a part plays.
function clipOf({ part, names }, name) {
  return [name, ...(name ?? "").split("+")].find((one) => names.includes(one)) ?? part.idle ?? names[0];
}

/** The lists of the timeline. They call `play` with a clip's name, or null for all frames. */
export class ClipLists {
  #rows = [];
  #lists = [];

  constructor(element, play) {
    this.element = element;
    this.play = play;
  }

  #fill(model) {
    this.model = model;
    this.#rows = rowsOf(model);
    const several = this.#rows.length > 1;
    this.#lists = (several ? this.#rows : [{ names: this.#rows[0]?.names ?? [] }]).map(({ part, names }, i) => {
      const list = document.createElement("select");
      list.setAttribute("aria-label", several ? T.clipOf(T.parts[part.name] ?? part.name) : T.clip);
      list.append(...names.map((name) => new Option(name, name)));
      if (i === 0) list.append(new Option(T.allFrames, ""));
      list.onchange = () => this.#choose(i, list.value);
      return list;
    });
    this.element.replaceChildren(...this.#lists);
  }

  refresh(model) {
    if (model !== this.model) this.#fill(model);
    const name = model.clip?.name;
    this.#lists.forEach((list, i) => (list.value = name === undefined && i === 0 ? "" : this.#rows[i] ? clipOf(this.#rows[i], name) : ""));
  }

  /** Plays a clip of a part. */
  choose(part, name) {
    this.#choose(Math.max(this.#rows.findIndex((row) => row.part === part || row.names.includes(name)), 0), name);
  }

  // A clip that both legs and torso have plays on both, as in the games. Choosing another clip for one returns the
  // other to a clip of its own.
  #choose(index, chosen) {
    if (chosen === "") return this.play(null);
    const shared = (name) => this.#rows.every(({ names }) => names.includes(name));
    if (this.#rows.length === 1 || shared(chosen)) return this.play(chosen);
    const clips = this.#rows.map((row, i) => {
      const clip = i === index ? chosen : clipOf(row, this.model.clip?.name);
      return shared(clip) ? (row.part.idle && !shared(row.part.idle) ? row.part.idle : row.names.find((name) => !shared(name))) : clip;
    });
    this.play([...new Set(clips.filter(Boolean))].join("+"));
  }
}
