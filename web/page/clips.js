// The clip lists of the timeline: one, or for a player two, for legs and torso.
import { clipInRow, clipRowsOf, combineClips } from "./lib/clip_rows.js";
import { makeSelect } from "./elements.js";
import { STRINGS as T } from "./strings.js";

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
    this.#rows = clipRowsOf(model);
    const several = this.#rows.length > 1;
    const fields = (several ? this.#rows : [{ names: this.#rows[0]?.names ?? [] }]).map(({ part, names }, i) => {
      const options = [...names.map((name) => new Option(name, name)), ...(i === 0 ? [new Option(T.allFrames, "")] : [])];
      const caption = several ? (T.parts[part.name] ?? part.name) : null;
      const made = makeSelect(several ? T.clipOf(caption) : T.clip, options, several ? { caption } : { icon: "clip" });
      made.select.onchange = () => this.#choose(i, made.select.value);
      return made;
    });
    this.#lists = fields.map(({ select }) => select);
    this.element.classList.toggle("several", several);
    this.element.replaceChildren(...fields.map(({ field }) => field));
  }

  refresh(model) {
    if (model !== this.model) this.#fill(model);
    const name = model.clip?.name;
    this.#lists.forEach((list, i) => (list.value = name === undefined && i === 0 ? "" : this.#rows[i] ? clipInRow(this.#rows[i], name) : ""));
  }

  /** Plays a clip of a part, unless the part is of an earlier model, which a tab can still show. */
  choose(part, name) {
    if (part.model !== this.model) return;
    this.#choose(Math.max(this.#rows.findIndex((row) => row.part === part || row.names.includes(name)), 0), name);
  }

  #choose(index, chosen) {
    this.play(chosen === "" ? null : combineClips(this.#rows, index, chosen, this.model.clip?.name));
  }
}
