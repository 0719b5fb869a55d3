// A list of the plain kind: it loads all its items, and makes a node for each.
import { fill, placesIn } from "/js/template.js";
import { card } from "/js/plain.js";
import { make } from "/js/make.js";

/** The widest window there is, in px. */
export const WIDTH = 65_536;
/** How many windows are asked for at once. */
const AT_ONCE = 6;

/** Fills `place` with the first `count` items of the strip "billion"; tells "first" when the first stand, and "all". */
export async function list(place, count, tell) {
  const template = card();
  const line = make("ul", { className: "list", tabIndex: 0, ariaLabel: "The list" });
  const windows = [];
  const ask = () => windows.push(windowAt(windows.length * WIDTH));
  place.append(line);
  for (let k = 0; k < AT_ONCE; k += 1) ask();
  for (let k = 0; line.childElementCount < count; k += 1) {
    const { items, offset } = await windows[k];
    ask();
    const begun = items.filter(({ start }) => start >= offset).slice(0, count - line.childElementCount);
    line.append(...begun.map((item) => {
      const content = template.content.cloneNode(true);
      fill(placesIn(template.content, content), item);
      const node = make("li", {}, content);
      node.style.width = `${item.size}px`;
      return node;
    }));
    if (k === 0) await tell("first");
  }
  await tell("all");
}

async function windowAt(offset) {
  const response = await fetch(`/window?strip=billion&offset=${offset}&width=${WIDTH}`);
  return response.json();
}
