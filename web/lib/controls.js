// The playback of a model by buttons and lists, for the component's control bar and for the page's toolbar.

import { MODES } from "./model.js";

export const CONTROL_STYLE = `
.bar { position: absolute; inset: 0; pointer-events: none; container-type: size; z-index: 2;
  font: 14px/1.2 system-ui, sans-serif; color: var(--lerpmesh-controls-color, CanvasText);
  --surface: var(--lerpmesh-controls-background, Canvas); accent-color: var(--lerpmesh-controls-accent, auto); }
.bar[hidden] { display: none; }
.row { position: absolute; inset: auto 0 0; height: var(--bar-height); pointer-events: auto;
  display: flex; align-items: center; box-sizing: border-box; padding: 0 4px 0 2px; background: var(--surface);
  border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
.bar :is(button, select, input) { box-sizing: border-box; min-width: 44px; min-height: 44px; margin: 0;
  font: inherit; color: inherit;
  cursor: pointer; }
.bar :is(button, select) { background: var(--surface); border: 0; border-radius: 6px; }
.bar button { flex: none; width: 44px; padding: 0; }
.bar svg { display: block; width: 20px; height: 20px; margin: auto; fill: none; stroke: currentColor;
  stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.bar :is([part~="play"], [part~="more"]) svg { fill: currentColor; stroke: none; }
.bar input { flex: 1; width: 0; margin: 0 6px; }
.bar select { max-width: 9.5em; padding: 0 4px; text-overflow: ellipsis; }
.bar :is(button, select):hover { background: color-mix(in srgb, currentColor 10%, var(--surface)); }
.bar [aria-pressed="true"] { background: color-mix(in srgb, currentColor 15%, var(--surface));
  box-shadow: inset 0 -2px currentColor; }
.bar :focus-visible { outline: 2px solid currentColor; outline-offset: -3px; }
.bar :disabled { opacity: 0.5; cursor: default; }
.bar output { display: none; margin-right: 8px; white-space: nowrap; font-variant-numeric: tabular-nums; }
.fields, .clips { display: flex; min-width: 0; }
.bar label { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-width: 0; }
.bar label[hidden] { display: none; }
.fields span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.settings { display: contents; }
.panel { display: none; gap: 12px; }
.panel button { display: flex; align-items: center; gap: 8px; width: auto; padding: 0 12px; }
.panel button::after { content: attr(title); }
.open .panel { display: flex; }
.panel { position: absolute; inset: auto 0 100% auto; box-sizing: border-box; padding: 4px 8px;
  max-height: calc(100cqh - var(--bar-height)); overflow-y: auto; background: var(--surface);
  border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
@container (min-width: 760px) {
  .bar output { display: block; }
}
@container (max-width: 559px) {
  .settings { display: none; position: absolute; inset: auto 0 100%; padding: 4px 8px;
    max-height: calc(100cqh - var(--bar-height)); box-sizing: border-box; overflow-y: auto;
    background: var(--surface); border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  .open { display: block; }
  .fields, .clips { flex-direction: column; }
  .fields span { position: static; flex: none; width: auto; height: auto; clip-path: none; }
  .fields select { flex: 0 1 14em; max-width: none; }
  .panel { position: static; justify-content: space-between; padding: 0; max-height: none; border: 0; }
  .panel label { flex: 1; }
  .panel button { justify-content: center; width: 44px; padding: 0; }
  .panel button::after { content: none; }
}
@container (max-width: 299px) {
  .bar :is([part~="back"], [part~="next"]) { display: none; }
}
`;

/** The texts that the component and the page share. */
export const PLAYBACK_TEXTS = {
  play: "Play",
  pause: "Pause",
  previousFrame: "Previous frame",
  nextFrame: "Next frame",
  position: "Timeline",
  frameOf: (frame, count) => `frame ${frame} of ${count}`,
  frameShort: (frame, count) => `${frame} / ${count}`,
  clip: "Clip",
  clipOf: (part) => `Clip of the ${part}`,
  parts: { lower: "legs", upper: "torso" },
  allFrames: "All frames",
  speed: "Speed",
  speedOf: (factor) => `${factor} ×`,
  mode: "When it ends",
  modes: { clip: "As in the file", loop: "Loop", once: "Play once", "ping-pong": "Back and forth" },
  interpolate: "Interpolate",
};

/** The texts of the component; assign to its properties to translate them. */
export const TEXTS = {
  ...PLAYBACK_TEXTS,
  controls: "Playback controls",
  settings: "More controls",
  skin: "Skin",
  dismiss: "Dismiss",
  model: "a model",
  noValue: (attribute, value, expected) => `Ignored ${attribute}="${value}": it takes ${expected}.`,
  frameValue: "a frame, such as 3",
  factorValue: "a factor, such as 0.5",
  cameraValue: "angles and a zoom, such as 30 15 2, or eye",
  noClip: (name, names) => `There is no clip "${name}". The clips are ${names.join(", ")}.`,
};

export const ICONS = {
  play: "M6 3l12 7-12 7z",
  pause: "M5 3h4v14H5zM11 3h4v14h-4z",
  back: "M14 4.5v11L7 10zM5 4.5v11",
  next: "M6 4.5v11L13 10zM15 4.5v11",
  interpolate:
    "M5.5 14.5C11 14.5 9 5.5 14.5 5.5M3.5 16a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM16.5 7a1.5 1.5 0 1 0 0-3 1.5 1.5 0 " +
    "0 0 0 3z",
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

/** Makes a button of the component; its part has the name of its icon. */
export function makeButton(part, title, onclick) {
  const icon = ICONS[part] ? makeIcon(ICONS[part]) : "×";
  const button = makeElement("button", { type: "button", part: `button ${part}`, title, onclick }, icon);
  button.setAttribute("aria-label", title);
  return button;
}

// ---- Clip lists ----------------------------------------------------------------------------------

// Returns the animated parts that have clips of their own, not only those of earlier parts: { part, names }. Heads of
// Quake III may have the clips of both legs and torso, and follow them.
function rowsOf(model) {
  const rows = [];
  for (const part of model.parts) {
    const names = [...new Set(model.clips.filter((clip) => clip.part === part.index).map((clip) => clip.name))];
    if (
      names.length &&
      (part.frames > 1 || rows.length === 0) &&
      !names.every((name) => rows.some((row) => row.names.includes(name)))
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
  fields = []; // of makeField()

  /**
   * `makeField(part)` returns { field, select }; part null: there is one list. `play` gets a clip's name; null: all
   * frames.
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

/** The controls of a Show's playback. The component and the page place them and give them their style. */
export class Playback {
  #show = null;
  #held = false; // it played before the scrubber was dragged

  /**
   * `makeButton(name, text, onclick, key)` makes a button with the icon of that name. `makeField(name, text, caption)`
   * makes a list, { field, select }. The caption is the name of a player's part, or null. `setPace` receives a change
   * of the speed, the mode or the interpolation.
   */
  constructor(texts, { makeButton, makeField, setPace = (pace) => (this.#show.playback = pace) }) {
    this.texts = texts;
    const make = (name, text, act, key) => makeButton(name, text, () => this.#show?.model && act(this.#show), key);
    this.back = make("back", texts.previousFrame, (show) => show.step(-1));
    this.play = make("play", texts.play, (show) => (show.playing = !show.playing));
    this.next = make("next", texts.nextFrame, (show) => show.step(1));
    const toggle = ({ playback }) => setPace({ interpolate: !playback.interpolate });
    this.interpolate = make("interpolate", texts.interpolate, toggle, "I");
    this.frame = makeElement("output", { part: "frame" });
    this.speed = makeField("speed", texts.speed);
    this.mode = makeField("mode", texts.mode);
    this.mode.select.append(...MODES.map((mode) => new Option(texts.modes[mode], mode)));
    this.speed.select.onchange = () => setPace({ speed: Number(this.speed.select.value) });
    this.mode.select.onchange = () => setPace({ mode: this.mode.select.value });
    this.#setSpeed(1);
    const makeClipField = (part) => {
      const caption = part && (texts.parts[part.name] ?? part.name);
      return makeField("clip", part ? texts.clipOf(caption) : texts.clip, caption);
    };
    // While another model is about to be shown, the lists play nothing.
    this.clips = new ClipLists(makeClipField, (name) => this.#show.model === this.clips.model && this.#show.play(name));
    this.clipFields = makeElement("div", { className: "clips" });
    this.scrubber = this.#makeScrubber();
  }

  #makeScrubber() {
    const scrubber = makeElement("input", { type: "range", part: "scrubber", min: 0, max: 0, step: 1, value: 0 });
    scrubber.setAttribute("aria-label", this.texts.position);
    scrubber.oninput = () => this.#show?.seek(Number(scrubber.value));
    scrubber.onpointerdown = () => {
      this.#held = Boolean(this.#show?.playing);
      if (this.#held) this.#show.playing = false;
    };
    scrubber.onpointerup = scrubber.onpointercancel = () => {
      if (this.#held && this.#show) this.#show.playing = true;
      this.#held = false;
    };
    return scrubber;
  }

  /** Shows the state of a Show, or that there is none. Returns whether its model is another one than before. */
  update(show) {
    this.#show = show;
    const { clips, play, texts } = this;
    const model = show?.model ?? null;
    const changed = model !== clips.model;
    if (changed) {
      clips.fill(model, texts.allFrames);
      this.clipFields.replaceChildren(...clips.fields.map(({ field }) => field));
    }
    const playing = Boolean(show?.playing);
    play.setAttribute("aria-label", playing ? texts.pause : texts.play);
    play.querySelector("path").setAttribute("d", ICONS[playing ? "pause" : "play"]);
    if (model) {
      clips.refresh();
      const { speed, mode, interpolate } = model.playback;
      this.#setSpeed(speed);
      this.mode.select.value = mode;
      this.interpolate.setAttribute("aria-pressed", interpolate);
      this.updatePosition();
    }
    return changed;
  }

  /** Shows the position. Returns the number of frames, and the share of the clip before it; null: no model. */
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
    this.frame.value = this.texts.frameShort(frame, count);
    return { count, share: last && position / last };
  }

  #setSpeed(factor) {
    const { select } = this.speed;
    const all = [...new Set([...SPEEDS, factor])].sort((a, b) => a - b);
    if (select.length !== all.length || ![...select.options].some(({ value }) => Number(value) === factor))
      select.replaceChildren(...all.map((one) => new Option(this.texts.speedOf(Number(one.toFixed(2))), one)));
    select.value = factor;
  }
}

// Makes a list with a text, which a wide bar hides.
function makeField(name, text) {
  const select = makeElement("select", { part: `select ${name}` });
  const caption = makeElement("span", { part: "caption" }, text);
  return { field: makeElement("label", { part: "field" }, caption, select), select };
}

/** The component's bar. */
export class Controls {
  #playback = new Playback(TEXTS, { makeButton, makeField });
  #skin = makeField("skin", TEXTS.skin);
  #more = makeButton("more", TEXTS.settings, () => this.#expand(!this.#expanded));
  #settings;

  /** `chooseSkin` receives the number of a skin. */
  constructor(chooseSkin) {
    const { back, play, next, scrubber, frame, clipFields, speed, mode, interpolate } = this.#playback;
    const lists = [clipFields, this.#skin.field, speed.field];
    const fields = makeElement("div", { className: "fields", part: "fields" }, lists);
    const panel = makeElement("div", { className: "panel", part: "panel" }, mode.field, interpolate);
    this.#settings = makeElement("div", { className: "settings" }, fields, panel);
    const controls = [back, play, next, scrubber, frame, this.#settings, this.#more];
    const row = makeElement("div", { className: "row", part: "controls" }, controls);
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", TEXTS.controls);
    this.element = makeElement("div", { className: "bar" }, row);
    this.#skin.select.onchange = () => chooseSkin(Number(this.#skin.select.value));
    this.element.onkeydown = (event) => {
      if (event.key !== "Escape" || !this.#expanded) return;
      this.#expand(false);
      this.#more.focus();
    };
    this.#expand(false);
    this.update(null);
  }

  get #expanded() {
    return this.#settings.classList.contains("open");
  }

  // Shows what the bar has no room for, and moves the focus there: it is before the button.
  #expand(expanded) {
    this.#more.setAttribute("aria-expanded", expanded);
    const isShown = (list) => list.getClientRects().length > 0;
    const hidden = [...this.#settings.querySelectorAll("select")].filter((list) => !isShown(list));
    this.#settings.classList.toggle("open", expanded);
    if (expanded) hidden.find(isShown)?.focus();
  }

  /** Shows the state of a Show, or that there is none. `choosesSkins`: the user can choose a skin. */
  update(show, choosesSkins = true) {
    const model = show?.model ?? null;
    const { play, scrubber } = this.#playback;
    if (this.#playback.update(show))
      this.#skin.select.replaceChildren(...(model?.skins ?? []).map(({ name }, i) => new Option(name, i)));
    play.title = play.getAttribute("aria-label");
    scrubber.title = scrubber.getAttribute("aria-label");
    const moves = Boolean(model?.parts.some(({ frames }) => frames > 1));
    for (const control of this.element.querySelectorAll("button, input, select")) control.disabled = !moves;
    this.#more.disabled = this.#skin.select.disabled = !model;
    if (!model) return;
    this.updatePosition();
    this.#skin.field.hidden = !choosesSkins || model.skins.length < 2;
    this.#skin.select.value = model.currentSkin;
  }

  updatePosition() {
    this.#playback.updatePosition();
  }
}
