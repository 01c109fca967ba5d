// The lists of clips that a user can choose from: one, or for a player two, for legs and torso. The component and the
// page use them.

// Returns the animated parts that have clips, and only one of those with the same clips: { part, names }.
function rowsOf(model) {
  const rows = [];
  for (const part of model.parts) {
    const names = [...new Set(model.clips.filter((clip) => clip.part === part.index).map((clip) => clip.name))];
    if (names.length && (part.frames > 1 || rows.length === 0) && !rows.some((row) => row.names.join("\0") === names.join("\0"))) rows.push({ part, names });
  }
  return rows;
}

// Returns the clip of a row that plays while the model plays the clip `name`.
function clipInRow({ part, names }, name) {
  return [name, ...(name ?? "").split("+")].find((one) => names.includes(one)) ?? part.idle ?? names[0];
}

export class ClipLists {
  #rows = [];
  model = null;
  fields = []; // what makeField() returned

  /** `makeField(part)` returns { select, … }; part null: there is one list. `play` gets a clip's name; null: all frames. */
  constructor(makeField, play) {
    Object.assign(this, { makeField, play });
  }

  /** Makes the lists of a model. `allFrames`: the text of that choice. */
  fill(model, allFrames) {
    this.model = model;
    this.#rows = model ? rowsOf(model) : [];
    this.fields = (this.#rows.length > 1 ? this.#rows : [{ part: null, names: this.#rows[0]?.names ?? [] }]).map(({ part, names }, i) => {
      const field = this.makeField(part);
      field.select.append(...names.map((name) => new Option(name, name)), ...(i === 0 ? [new Option(allFrames, "")] : []));
      field.select.onchange = () => this.#choose(i, field.select.value);
      return field;
    });
  }

  /** Shows the current clip. */
  refresh() {
    const name = this.model.clip?.name;
    this.fields.forEach(({ select }, i) => (select.value = name === undefined && i === 0 ? "" : this.#rows[i] ? clipInRow(this.#rows[i], name) : ""));
  }

  /** Plays a clip of a part, unless the part is of an earlier model, which a tab can still show. */
  choose(part, name) {
    if (part.model !== this.model) return;
    this.#choose(Math.max(this.#rows.findIndex((row) => row.part === part || row.names.includes(name)), 0), name);
  }

  // A clip that both legs and torso have plays on both, as in the games. Choosing another clip for one returns the other
  // to a clip of its own.
  #choose(index, chosen) {
    const shared = (name) => this.#rows.every(({ names }) => names.includes(name));
    if (chosen === "" || this.#rows.length === 1 || shared(chosen)) return this.play(chosen || null);
    const clips = this.#rows.map((row, i) => {
      const clip = i === index ? chosen : clipInRow(row, this.model.clip?.name);
      return shared(clip) ? (row.part.idle && !shared(row.part.idle) ? row.part.idle : row.names.find((name) => !shared(name))) : clip;
    });
    this.play([...new Set(clips.filter(Boolean))].join("+"));
  }
}
