// Makes elements of the page, and its icons.
import { ICONS as PLAYBACK_ICONS, makeElement, makeIcon as makeSvg } from "../lib/controls.js";

export { makeElement };

/** Makes a less important paragraph. */
export const makeNote = (text) => makeElement("p", { className: "quiet" }, text);

/** Makes a button with an icon and a hidden text, which its tooltip shows, with `key` if there is one. */
export function makeIconButton(icon, text, onclick, key = null) {
  const button = makeElement("button", { className: "icon", onclick }, makeIcon(icon), makeElement("span", {}, text));
  button.dataset.tip = key ? `${text} (${key})` : text;
  if (key) button.setAttribute("aria-keyshortcuts", key);
  return button;
}

/** Makes a select with an icon or a caption in front of its value. */
export function makeSelect(ariaLabel, options, { icon = null, caption = null } = {}) {
  const select = makeElement("select", { ariaLabel }, options);
  return {
    field: makeElement(
      "label",
      { className: "field" },
      icon && makeIcon(icon),
      caption && makeElement("span", {}, caption),
      select,
    ),
    select,
  };
}

/** Lets a button choose files. Returns it with its input. `act` receives [name, File] each. */
export function withFiles(button, act, properties) {
  const input = makeElement("input", { type: "file", multiple: true, hidden: true, ...properties });
  input.onchange = () => {
    const files = [...input.files].map((file) => [file.name, file]);
    input.value = ""; // the same file again is another choice
    act(files);
  };
  button.onclick = () => input.click();
  return [button, input];
}

/** Lets the arrows, Home and End open the tabs of a list. */
export function listenForArrows(list) {
  list.addEventListener("keydown", (event) => {
    const tabs = [...list.children].filter((tab) => !tab.hidden);
    const at = tabs.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = tabs.at(to % tabs.length);
    tab.focus();
    tab.click();
  });
}

/** Marks a tab of a list as the open one. The Tab key reaches only this one. */
export function selectTab(list, tab) {
  for (const one of list.children) {
    one.setAttribute("aria-selected", one === tab);
    one.tabIndex = one === tab ? 0 : -1;
  }
}

let style = null;
/** Loads the style of everything that comes after the first frame. */
export const loadStyle = () =>
  (style ??= new Promise((resolve) => {
    document.head.append(
      makeElement("link", { rel: "stylesheet", href: "panels.css", onload: resolve, onerror: resolve }),
    );
  }));

// ---- Icons -----------------------------------------------------------------------------------

// Outlines on a grid of 20 x 20, drawn with round ends in the colour of the text.
const ICONS = {
  ...PLAYBACK_ICONS,
  file: "M5 2.5h6.5L16 7v10.5H5zM11 2.5V7h5",
  folder: "M2.5 4.5h5l2 2.5h8v9h-15z",
  help: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM7.8 8a2.2 2.2 0 1 1 3.3 1.9c-.8.5-1.1.9-1.1 1.8M10 14v.1",
  search: "M8.5 14a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM12.5 12.5l5 5",
  close: "M5 5l10 10M15 5L5 15",
  warning: "M10 3l8 14H2zM10 8.5v4M10 14.7v.1",
  error: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM7.5 7.5l5 5M12.5 7.5l-5 5",
  note: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 9.5v4M10 6.5v.1",
  drop: "M10 2.5v10M6 8.5l4 4 4-4M3 13v4.5h14V13",
  clip: "M2.5 4.5h15v11h-15zM6.5 4.5v11M13.5 4.5v11M2.5 8.2h4M2.5 11.8h4M13.5 8.2h4M13.5 11.8h4",
  speed: "M4.5 15.5a7.5 7.5 0 1 1 11 0M10 11.5l3-4.5",
  mode: "M4 10V8.5a3 3 0 0 1 3-3h9M13.5 3L16 5.5 13.5 8M16 10v1.5a3 3 0 0 1-3 3H4M6.5 12L4 14.5 6.5 17",
  shade: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 2.5c5 3 5 12 0 15M14 6.5l2.5-.5M14.2 10h3.2M14 13.5l2.5.5",
  edges: "M10 3L2.5 16.5h15zM6.2 9.8h7.6L10 16.5z",
  grid: "M6 4.5h8l4 11H2zM4.7 8h10.6M3.5 11.5h13M10 4.5v11",
  axes: "M9 11.5V2.5M6.8 4.7L9 2.5l2.2 2.2M9 11.5l8.5 2.5M15.6 11.2l1.9 2.8-2.9 1.6M9 11.5l-6 5M3.4 13.2L3 16.5l3.2.2",
  tags: "M2.5 3.5H9l8 8-5.5 5.5-9-9zM6 7v.1",
  box: "M10 2.5l6.5 3.7v7.6L10 17.5l-6.5-3.7V6.2zM3.5 6.2L10 10l6.5-3.8M10 10v7.5",
  vertexNormals: "M2 16.5c3.5-4 12.5-4 16 0M5 13.5L3.5 7M10 12.5v-10M8 4.5l2-2 2 2M15 13.5L16.5 7",
  glCommands: "M2 15L6 5l4 10 4-10 4 10zM6 5h8",
  shadow:
    "M10 12a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM5 14.2c-1.5.4-2.5.9-2.5 1.5 0 1 3.4 1.8 7.5 1.8s7.5-.8 " +
    "7.5-1.8c0-.6-1-1.1-2.5-1.5",
  eye: "M1.5 10c4-6.5 13-6.5 17 0-4 6.5-13 6.5-17 0zM10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4M7.5 7.5h5v5h-5z",
  fullscreen: "M12 3h5v5M17 3l-5.5 5.5M8 17H3v-5M3 17l5.5-5.5",
  more: "M4 6.5h12M4 13.5h12M7.5 4.5v4M12.5 11.5v4",
  image: "M2.5 4.5h15v11h-15zM2.5 13l4-4 4 4 2.5-2.5 4.5 4.5M13.2 8.2v.1",
  link: "M8.5 11.5l3-3M9 6l1.5-1.5a3.5 3.5 0 0 1 5 5L14 11M11 14l-1.5 1.5a3.5 3.5 0 0 1-5-5L6 9",
};

export const makeIcon = (name) => makeSvg(ICONS[name]);
