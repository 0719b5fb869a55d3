// A list without virtual scrolling: it loads all its items, and creates a node for each one.
import { cardTemplate } from "/js/cards/default-card.js";
import { create } from "/js/base/dom.js";
import { fill, findPlaceholders } from "/js/cards/template.js";

/** The width of the largest window that the server allows, in px. */
export const WINDOW_WIDTH = 65_536;
/** How many requests run at once. */
const MAX_REQUESTS = 6;

/**
 * Fills `parent` with the first `count` items of the strip "billion". Awaits `report("first")` when the first items are
 * in the document, and `report("all")` when all are.
 */
export async function showList(parent, count, report) {
  const template = cardTemplate();
  const list = create("ul", { className: "list", tabIndex: 0, ariaLabel: "The list" });
  const windows = [];
  const request = () => windows.push(requestWindow(windows.length * WINDOW_WIDTH));
  parent.append(list);
  for (let k = 0; k < MAX_REQUESTS; k += 1) request();
  for (let k = 0; list.childElementCount < count; k += 1) {
    const { items, offset } = await windows[k];
    request();
    const added = items.filter(({ start }) => start >= offset).slice(0, count - list.childElementCount);
    list.append(...added.map((item) => {
      const content = template.content.cloneNode(true);
      fill(findPlaceholders(template.content, content), item);
      const node = create("li", {}, content);
      node.style.width = `${item.size}px`;
      return node;
    }));
    if (k === 0) await report("first");
  }
  await report("all");
}

async function requestWindow(offset) {
  const response = await fetch(`/window?strip=billion&offset=${offset}&width=${WINDOW_WIDTH}`);
  return response.json();
}
