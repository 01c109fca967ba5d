// The playback of a model by buttons and lists, for the component's control bar and for the page's toolbar. It changes
// nothing by itself but calls the functions it is given.

export const CONTROL_STYLE = `
.bar { position: absolute; inset: auto 0 0; height: var(--bar-height); container-type: inline-size;
  box-sizing: border-box; z-index: 2;
  font: 14px/1.2 system-ui, sans-serif; color: var(--lerpmesh-controls-color, CanvasText);
  --surface: var(--lerpmesh-controls-background, Canvas); accent-color: var(--lerpmesh-controls-accent, auto); }
.bar[hidden] { display: none; }
.row { display: flex; align-items: center; height: 100%; box-sizing: border-box; padding: 0 4px 0 2px;
  background: var(--surface);
  border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
.bar button, .bar select, .bar input { box-sizing: border-box; min-width: 44px; min-height: 44px; margin: 0;
  font: inherit; color: inherit;
  cursor: pointer; }
.bar button, .bar select { background: var(--surface); border: 0; border-radius: 6px; }
.bar button { flex: none; width: 44px; padding: 0; }
.bar button svg { display: block; width: 20px; height: 20px; margin: auto; fill: currentColor; }
.bar input { flex: 1; width: 0; margin: 0 6px; }
.bar select { max-width: 9.5em; padding: 0 4px; text-overflow: ellipsis; }
.bar :is(button, select):hover { background: color-mix(in srgb, currentColor 10%, var(--surface)); }
.bar :focus-visible { outline: 2px solid currentColor; outline-offset: -3px; }
.bar :disabled { opacity: 0.5; cursor: default; }
.fields { display: flex; }
.fields label { display: flex; align-items: center; }
.fields label[hidden] { display: none; }
.fields span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.more { display: none; }
@container (max-width: 559px) {
  .bar .more { display: block; }
  .fields { display: none; position: absolute; inset: auto 0 100%; flex-direction: column; padding: 4px 8px;
    background: var(--surface);
    border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  .more[aria-expanded="true"] + .fields { display: flex; }
  .fields label { justify-content: space-between; gap: 12px; }
  .fields span { position: static; width: auto; height: auto; clip-path: none; }
  .bar .fields select { flex: 0 1 14em; max-width: none; }
}
`;

/** The texts that the component and the page share. */
export const PLAYBACK_TEXTS = {
  play: "Play",
  pause: "Pause",
  position: "Timeline",
  frameOf: (frame, count) => `frame ${frame} of ${count}`,
  clip: "Clip",
  clipOf: (part) => `Clip of the ${part}`,
  parts: { lower: "legs", upper: "torso" },
  allFrames: "All frames",
  speed: "Speed",
  speedOf: (factor) => `${factor} ×`,
};

/** The texts of the component; assign to its properties to translate them. */
export const TEXTS = {
  ...PLAYBACK_TEXTS,
  controls: "Playback controls",
  settings: "Clip, skin and speed",
  skin: "Skin",
  dismiss: "Dismiss",
  model: "a model",
  noShade: (name, names) => `There is no shade "${name}". The shades are ${names.join(", ")}.`,
  noClip: (name, names) => `There is no clip "${name}". The clips are ${names.join(", ")}.`,
};

export const ICONS = {
  play: "M6 3l12 7-12 7z",
  pause: "M5 3h4v14H5zM11 3h4v14h-4z",
  more: "M3 8h4v4H3zM8 8h4v4H8zM13 8h4v4h-4z",
};
const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];

/**
 * Makes an element with properties and children: elements, texts, or lists of these; false, null and undefined are
 * none.
 */
export function makeElement(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.flat().filter((one) => one !== false && one !== null && one !== undefined));
  return element;
}

/** Makes an icon that screen readers ignore, of a path on a grid of 20 x 20. */
export function makeIcon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(svg.namespaceURI, "path"));
  svg.firstElementChild.setAttribute("d", path);
  return svg;
}

/** A button with an icon. */
export function makeButton(part, icon, onclick) {
  return makeElement("button", { type: "button", part: `button ${part}`, onclick }, icon ? makeIcon(ICONS[icon]) : "×");
}

// ---- Clip lists ----------------------------------------------------------------------------------

// Returns the animated parts that have clips, and only one of those with the same clips: { part, names }.
function rowsOf(model) {
  const rows = [];
  for (const part of model.parts) {
    const names = [...new Set(model.clips.filter((clip) => clip.part === part.index).map((clip) => clip.name))];
    if (
      names.length &&
      (part.frames > 1 || rows.length === 0) &&
      !rows.some((row) => row.names.join("\0") === names.join("\0"))
    )
      rows.push({ part, names });
  }
  return rows;
}

// Returns the clip of a row that plays while the model plays the clip `name`.
function clipInRow({ part, names }, name) {
  return [name, ...(name ?? "").split("+")].find((one) => names.includes(one)) ?? part.idle ?? names[0];
}

/** The lists of clips that a user can choose from: one, or for a player two, for legs and torso. */
export class ClipLists {
  #rows = [];
  model = null;
  fields = []; // what makeField() returned

  /**
   * `makeField(part)` returns { select, … }; part null: there is one list. `play` gets a clip's name; null: all frames.
   */
  constructor(makeField, play) {
    this.makeField = makeField;
    this.play = play;
  }

  /** Makes the lists of a model. `allFrames`: the text of that choice. */
  fill(model, allFrames) {
    this.model = model;
    this.#rows = model ? rowsOf(model) : [];
    this.fields = (this.#rows.length > 1 ? this.#rows : [{ part: null, names: this.#rows[0]?.names ?? [] }]).map(
      ({ part, names }, i) => {
        const field = this.makeField(part);
        field.select.append(
          ...names.map((name) => new Option(name, name)),
          ...(i === 0 ? [new Option(allFrames, "")] : []),
        );
        field.select.onchange = () => this.#choose(i, field.select.value);
        return field;
      },
    );
  }

  /** Shows the current clip. */
  refresh() {
    const name = this.model.clip?.name;
    this.fields.forEach(
      ({ select }, i) =>
        (select.value = name === undefined && i === 0 ? "" : this.#rows[i] ? clipInRow(this.#rows[i], name) : ""),
    );
  }

  /** Plays a clip of a part, unless the part is of an earlier model, which a tab can still show. */
  choose(part, name) {
    if (part.model !== this.model) return;
    this.#choose(Math.max(this.#rows.findIndex((row) => row.part === part || row.names.includes(name)), 0), name);
  }

  // A clip that both legs and torso have plays on both, as in the games. Choosing another clip for one returns the
  // other to a clip of its own.
  #choose(index, chosen) {
    const shared = (name) => this.#rows.every(({ names }) => names.includes(name));
    if (chosen === "" || this.#rows.length === 1 || shared(chosen)) return this.play(chosen || null);
    const clips = this.#rows.map((row, i) => {
      const clip = i === index ? chosen : clipInRow(row, this.model.clip?.name);
      return shared(clip)
        ? row.part.idle && !shared(row.part.idle)
          ? row.part.idle
          : row.names.find((name) => !shared(name))
        : clip;
    });
    this.play([...new Set(clips.filter(Boolean))].join("+"));
  }
}

// ---- Playback ------------------------------------------------------------------------------------

/** Shows the playback of a Show in elements, and lets them change it. */
export class Playback {
  #show = null;
  #held = false; // it played before the scrubber was dragged

  /**
   * `elements`: the button `play`, with an icon, the `scrubber`, and the select `speed`. `makeField(text, caption)`
   * makes a field of a list of clips, { select, … }; the caption is the name of the part, or null. `actions`:
   * play(playing), seek(position), clip(name), speed(factor).
   */
  constructor({ play, scrubber, speed }, makeField, texts, actions) {
    Object.assign(this, { play, scrubber, speed, texts, actions });
    const makeClipField = (part) => {
      const caption = part && (texts.parts[part.name] ?? part.name);
      return makeField(part ? texts.clipOf(caption) : texts.clip, caption);
    };
    // While another model is about to be shown, the lists play nothing.
    this.clips = new ClipLists(makeClipField, (name) => this.#show?.model === this.clips.model && actions.clip(name));
    this.#setSpeed(1);
    play.onclick = () => actions.play(!this.#show?.playing);
    speed.onchange = () => actions.speed(Number(speed.value));
    scrubber.oninput = () => actions.seek(Number(scrubber.value));
    scrubber.onpointerdown = () => {
      this.#held = Boolean(this.#show?.playing);
      if (this.#held) actions.play(false);
    };
    scrubber.onpointerup = scrubber.onpointercancel = () => {
      if (this.#held) actions.play(true);
      this.#held = false;
    };
  }

  /** Shows the state of a Show, or that there is none. Returns whether its model is another one than before. */
  update(show) {
    this.#show = show;
    const { clips, play, texts } = this;
    const model = show?.model ?? null;
    const changed = model !== clips.model;
    if (changed) clips.fill(model, texts.allFrames);
    const playing = Boolean(show?.playing);
    play.setAttribute("aria-label", playing ? texts.pause : texts.play);
    play.querySelector("path").setAttribute("d", ICONS[playing ? "pause" : "play"]);
    if (model) {
      clips.refresh();
      this.#setSpeed(model.playback.speed);
      this.updatePosition();
    }
    return changed;
  }

  /** Shows the position. Returns the frame, from 1, the number of frames, and the share before it; null: no model. */
  updatePosition() {
    const { model } = this.#show ?? {};
    if (!model) return null;
    const count = model.clip?.count ?? model.parts[0].frames;
    const last = Math.max(count - 1, 0);
    const position = Math.min(Math.max(model.position, 0), last);
    const frame = Math.round(position) + 1;
    const { scrubber } = this;
    scrubber.max = last;
    scrubber.value = position;
    scrubber.disabled = last === 0;
    scrubber.setAttribute("aria-valuetext", this.texts.frameOf(frame, count));
    return { frame, count, share: last && position / last };
  }

  #setSpeed(factor) {
    const all = [...new Set([...SPEEDS, factor])].sort((a, b) => a - b);
    if (this.speed.length !== all.length || ![...this.speed.options].some(({ value }) => Number(value) === factor))
      this.speed.replaceChildren(...all.map((one) => new Option(this.texts.speedOf(Number(one.toFixed(2))), one)));
    this.speed.value = factor;
  }
}

/** The component's bar. */
export class Controls {
  #play = makeButton("play", "play");
  #scrubber = makeElement("input", { type: "range", part: "scrubber", min: 0, max: 0, step: 1, value: 0 });
  #more = makeButton("more", "more", () => this.#expand(!this.#expanded));
  #fields = makeElement("div", { className: "fields", part: "fields" });
  #skin = this.#makeField("skin");
  #speed = this.#makeField("speed");
  #playback;
  #expanded = false; // the list of fields, in a narrow element

  /** `actions`: those of Playback, and skin(index). */
  constructor(actions) {
    const elements = { play: this.#play, scrubber: this.#scrubber, speed: this.#speed.select };
    this.#playback = new Playback(elements, (text) => this.#makeField("clip", text), TEXTS, actions);
    this.#more.classList.add("more");
    const row = makeElement(
      "div",
      { className: "row", part: "controls" },
      this.#play,
      this.#scrubber,
      this.#more,
      this.#fields,
    );
    row.setAttribute("role", "group");
    this.element = makeElement("div", { className: "bar" }, row);
    this.row = row;
    this.#skin.select.onchange = () => actions.skin(Number(this.#skin.select.value));
    this.element.onkeydown = (event) => {
      if (event.key !== "Escape" || !this.#expanded) return;
      this.#expand(false);
      this.#more.focus();
    };
    this.#expand(false);
    this.update(null);
  }

  #makeField(part, caption = "") {
    const select = makeElement("select", { part: `select ${part}` });
    const text = makeElement("span", { part: "caption" }, caption);
    return { label: makeElement("label", { part: "field" }, text, select), select };
  }

  #expand(expanded) {
    this.#expanded = expanded;
    this.#more.setAttribute("aria-expanded", expanded);
  }

  /** Shows the state of a Show, or that there is none. `choosesSkins`: the user can choose a skin. */
  update(show, choosesSkins = true) {
    const model = show?.model ?? null;
    if (this.#playback.update(show)) this.#fill(model);
    this.#label();
    for (const control of this.element.querySelectorAll("button, input, select")) control.disabled = !model;
    if (!model) return;
    this.updatePosition();
    this.#skin.label.hidden = !choosesSkins || model.skins.length < 2;
    this.#skin.select.value = model.currentSkin;
  }

  updatePosition() {
    this.#playback.updatePosition();
  }

  // Makes the lists of a model's clips and skins.
  #fill(model) {
    this.#skin.select.replaceChildren(...(model?.skins ?? []).map(({ name }, i) => new Option(name, i)));
    const fields = [...this.#playback.clips.fields, this.#skin, this.#speed];
    this.#fields.replaceChildren(...fields.map(({ label }) => label));
  }

  #label() {
    this.row.setAttribute("aria-label", TEXTS.controls);
    this.#scrubber.setAttribute("aria-label", TEXTS.position);
    this.#more.setAttribute("aria-label", TEXTS.settings);
    for (const control of [this.#play, this.#scrubber, this.#more]) control.title = control.getAttribute("aria-label");
    this.#skin.label.firstChild.textContent = TEXTS.skin;
    this.#speed.label.firstChild.textContent = TEXTS.speed;
  }
}
