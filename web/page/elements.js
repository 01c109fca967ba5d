// Makes elements of the page.
import { makeIcon } from "./icons.js";
import { STRINGS as T } from "./strings.js";

/** Makes an element with a text and properties. */
export function makeElement(tag, text, properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Makes a button with an icon and a hidden text, which its tooltip shows, with `key` if there is one. */
export function makeIconButton(icon, text, click, key = null) {
  const button = makeElement("button", undefined, { className: "icon", onclick: click });
  button.append(makeIcon(icon), makeElement("span", text));
  button.dataset.tip = key ? `${text} (${key})` : text;
  if (key) button.setAttribute("aria-keyshortcuts", key);
  return button;
}

/** Makes a select with an icon or a caption in front of its value. */
export function makeSelect(label, options, { icon = null, caption = null } = {}) {
  const field = makeElement("label", undefined, { className: "field" });
  const select = makeElement("select", undefined, { ariaLabel: label });
  select.append(...options);
  if (icon) field.append(makeIcon(icon));
  if (caption) field.append(makeElement("span", caption));
  field.append(select);
  return { field, select };
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

/**
 * Makes a table that scrolls if it is too wide. `rows`: { cells, selected }; a cell is a text, a number (right-aligned)
 * or an element.
 */
export function makeTable(caption, heads, rows) {
  const element = makeElement("table");
  const row = (tag, cells) => {
    const line = makeElement("tr");
    line.append(...cells.map((cell) => (cell instanceof Element ? makeElement(tag) : makeElement(tag, Number.isInteger(cell) ? String(cell) : typeof cell === "number" ? T.number(cell) : cell))));
    cells.forEach((cell, i) => {
      if (cell instanceof Element) line.children[i].append(cell);
      line.children[i].classList.toggle("number", typeof (rows[0]?.cells[i] ?? "") === "number");
    });
    return line;
  };
  element.append(makeElement("caption", caption), row("th", heads));
  for (const head of element.querySelectorAll("th")) head.scope = "col";
  for (const { cells, selected } of rows) {
    element.append(row("td", cells));
    element.lastChild.classList.toggle("selected", Boolean(selected));
  }
  const box = makeElement("div", undefined, { className: "wide", tabIndex: 0 });
  box.append(element);
  return box;
}
