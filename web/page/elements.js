// Makes elements of the page.

/** Makes an element with a text and properties. */
export function makeElement(tag, text, properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) element.textContent = text;
  return element;
}

/**
 * Makes a table that scrolls if it is too wide. `rows`: { cells, selected }; a cell is a text, a number (right-aligned)
 * or an element.
 */
export function makeTable(caption, heads, rows) {
  const element = makeElement("table");
  const row = (tag, cells) => {
    const line = makeElement("tr");
    line.append(...cells.map((cell) => (cell instanceof Element ? makeElement(tag) : makeElement(tag, String(cell)))));
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
