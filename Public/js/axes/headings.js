// The headings of groups in a list, a grid or rows. A heading stays at the top of the viewport while its group is in view.

import { groupTitle } from "../base/months.js";
import { setText } from "../base/text.js";

/** Headings in nodes that are used again: group k has the node k modulo their number. */
export class Headings {
  #strip;
  #groups = [];
  #nodes = [];
  #poolLength; // the pool in px that the nodes are enough for
  #box = document.createElement("div");

  constructor(strip) {
    this.#strip = strip;
    this.#box.style = "position:relative;height:0;z-index:1;pointer-events:none";
    strip.viewport.prepend(this.#box);
    const written = [...strip.querySelectorAll(":scope > ul > .heading")]; // the server wrote them into the first window
    this.#groups = written.map(({ textContent, dataset }) => ({ title: textContent, start: +dataset.start }));
    for (const node of written) node.remove();
  }

  remove() {
    this.#box.remove();
  }

  /** Shows the `groups` of a strip: {title, start}, and `end`, the index after the last item. Runs without a title have no heading. */
  show(groups) {
    this.#groups = groups;
    this.#poolLength = 0;
    this.#strip.requestDraw();
  }

  /** Places the headings that are near the viewport. The list is `before` px after the start of what scrolls. */
  draw(before, range) {
    const { meta, offset, viewportSize } = this.#strip;
    const height = this.#strip.heading ?? 0;
    const groups = height ? this.#groups : [];
    if (this.#poolLength !== meta.pool) this.#make(groups, (this.#poolLength = meta.pool), height);
    const margin = (meta.pool - viewportSize) / 2;
    const shown = new Set();
    let k = Math.max(0, firstAfter(groups, offset - margin) - 1);
    for (; k < groups.length && groups[k].start - height < offset + viewportSize + margin; k += 1) {
      const { title, start } = groups[k];
      const next = groups[k + 1] ?? { start: meta.extent };
      const end = next.start - (next.title ? height : 0);
      const node = this.#nodes[k % this.#nodes.length];
      const top = Math.max(0, start - height - range.origin - before);
      shown.add(node);
      node.hidden = !title;
      node.style.top = `${top}px`;
      node.style.height = `${Math.max(0, end - range.origin - before - top)}px`;
      node.firstChild.style.height = `${height}px`;
      setText(node.firstChild, groupTitle(title, this.#strip));
    }
    for (const node of this.#nodes) if (!shown.has(node)) node.hidden = true;
  }

  /** Creates as many nodes as a pool of `poolLength` px can need. */
  #make(groups, poolLength, height) {
    let [first, needed] = [0, 0];
    groups.forEach(({ start }, k) => {
      while (groups[first + 1] && groups[first + 1].start - height < start - poolLength) first += 1;
      needed = Math.max(needed, k - first + 2);
    });
    while (this.#nodes.length < needed) {
      const node = document.createElement("div");
      const text = document.createElement("p");
      Object.assign(text, { part: "heading", role: "heading", ariaLevel: 2 });
      node.style = "position:absolute;inset-inline:0";
      text.style = "position:sticky;top:calc(-1 * var(--sticky-edge, 0px));margin:0;box-sizing:border-box";
      node.append(text);
      this.#nodes.push(node);
      this.#box.append(node);
    }
  }
}

/** The number of the first group that starts after `offset`. */
function firstAfter(groups, offset) {
  let [low, high] = [0, groups.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (groups[middle].start > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
