// The control bar of the component: play, scrubber, clip, skin and speed. It changes nothing by itself but calls the
// functions it is given. The page uses its clip lists, and its functions that make elements.

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

/** The texts of the component; assign to its properties to translate them. */
export const TEXTS = {
  controls: "Playback controls",
  play: "Play",
  pause: "Pause",
  position: "Position",
  frameOf: (frame, count) => `frame ${frame} of ${count}`,
  settings: "Clip, skin and speed",
  clip: "Clip",
  clipOf: (part) => `Clip of ${part}`,
  allFrames: "All frames",
  skin: "Skin",
  speed: "Speed",
  speedOf: (factor) => `${factor}×`,
  dismiss: "Dismiss",
  model: "a model",
  noShade: (name, names) => `There is no shade "${name}". The shades are ${names.join(", ")}.`,
  noClip: (name, names) => `There is no clip "${name}". The clips are ${names.join(", ")}.`,
};

const ICONS = {
  play: "M6 3l12 7-12 7z",
  pause: "M5 3h4v14H5zM11 3h4v14h-4z",
  more: "M3 8h4v4H3zM8 8h4v4H8zM13 8h4v4h-4z",
};
const SPEEDS = [0.25, 0.5, 1, 1.5, 2];

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

// ---- The bar -------------------------------------------------------------------------------------

export class Controls {
  #actions;
  #play = makeButton("play", "play", () => this.#actions.play(!this.#show?.playing));
  #scrubber = makeElement("input", { type: "range", part: "scrubber", min: 0, max: 0, step: 1, value: 0 });
  #more = makeButton("more", "more", () => this.#expand(!this.#expanded));
  #fields = makeElement("div", { className: "fields", part: "fields" });
  #skin = this.#makeField("skin");
  #speed = this.#makeField("speed");
  #clips = new ClipLists((part) => ({ part, ...this.#makeField("clip") }), (name) => this.#actions.clip(name));
  #show = null;
  #expanded = false; // the list of fields, in a narrow element
  #held = false; // it played before the scrubber was dragged

  /** `actions`: play(playing), seek(position), clip(name), skin(index), speed(factor). */
  constructor(actions) {
    this.#actions = actions;
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
    this.#listen();
    this.#expand(false);
    this.update(null);
  }

  #makeField(part) {
    const select = makeElement("select", { part: `select ${part}` });
    return { label: makeElement("label", { part: "field" }, makeElement("span", { part: "caption" }), select), select };
  }

  #expand(expanded) {
    this.#expanded = expanded;
    this.#more.setAttribute("aria-expanded", expanded);
  }

  #listen() {
    const scrubber = this.#scrubber;
    scrubber.oninput = () => this.#actions.seek(Number(scrubber.value));
    scrubber.onpointerdown = () => {
      this.#held = Boolean(this.#show?.playing);
      if (this.#held) this.#actions.play(false);
    };
    scrubber.onpointerup = scrubber.onpointercancel = () => {
      if (this.#held) this.#actions.play(true);
      this.#held = false;
    };
    this.#skin.select.onchange = () => this.#actions.skin(Number(this.#skin.select.value));
    this.#speed.select.onchange = () => this.#actions.speed(Number(this.#speed.select.value));
    this.element.onkeydown = (event) => {
      if (event.key !== "Escape" || !this.#expanded) return;
      this.#expand(false);
      this.#more.focus();
    };
  }

  /** Shows the state of a Show, or that there is none. `choosesSkins`: the user can choose a skin. */
  update(show, choosesSkins = true) {
    this.#show = show;
    const model = show?.model ?? null;
    if (model !== this.#clips.model) this.#fill(model);
    this.#label();
    for (const control of this.element.querySelectorAll("button, input, select")) control.disabled = !model;
    if (!model) return;
    this.#skin.label.hidden = !choosesSkins || model.skins.length < 2;
    this.#clips.refresh();
    this.#skin.select.value = model.currentSkin;
    this.#setSpeed(model.playback.speed);
    this.updatePosition();
  }

  updatePosition() {
    const { model } = this.#show ?? {};
    if (!model) return;
    const count = model.clip?.count ?? model.frames.length;
    const frame = Math.min(Math.max(Math.round(model.position), 0), Math.max(count - 1, 0));
    this.#scrubber.max = Math.max(count - 1, 0);
    this.#scrubber.value = frame;
    this.#scrubber.disabled = count < 2;
    this.#scrubber.setAttribute("aria-valuetext", TEXTS.frameOf(frame + 1, count));
  }

  #setSpeed(speed) {
    const { select } = this.#speed;
    const all = [...new Set([...SPEEDS, speed])].sort((a, b) => a - b);
    if (select.length !== all.length || ![...select.options].some((option) => Number(option.value) === speed))
      select.replaceChildren(...all.map((one) => new Option(TEXTS.speedOf(Number(one.toFixed(2))), one)));
    select.value = speed;
  }

  // Makes the lists of a model's clips and skins.
  #fill(model) {
    this.#clips.fill(model, TEXTS.allFrames);
    this.#skin.select.replaceChildren(...(model?.skins ?? []).map(({ name }, i) => new Option(name, i)));
    this.#fields.replaceChildren(...[...this.#clips.fields, this.#skin, this.#speed].map(({ label }) => label));
  }

  #label() {
    const caption = ({ label }, text) => (label.firstChild.textContent = text);
    const name = (control, text) => {
      control.setAttribute("aria-label", text);
      control.title = text;
    };
    const playing = Boolean(this.#show?.playing);
    this.row.setAttribute("aria-label", TEXTS.controls);
    name(this.#play, playing ? TEXTS.pause : TEXTS.play);
    this.#play.querySelector("path").setAttribute("d", ICONS[playing ? "pause" : "play"]);
    name(this.#scrubber, TEXTS.position);
    name(this.#more, TEXTS.settings);
    for (const field of this.#clips.fields) caption(field, field.part ? TEXTS.clipOf(field.part.name) : TEXTS.clip);
    caption(this.#skin, TEXTS.skin);
    caption(this.#speed, TEXTS.speed);
  }
}
