/** An element with a text and properties. */
export function make(tag, text, properties = {}) {
  const element = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) element.textContent = text;
  return element;
}
