// Marks the words of a search in the titles and subtitles of cards, with CSS Custom Highlights: `::highlight(carousel-hit)`.

import { matcher } from "./text-matching.js";

const highlight = new Highlight();
CSS.highlights.set("carousel-hit", highlight);

/** The ranges of an element's text that `find` finds. */
function* ranges(element, find) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const [start, end] of find(texts.currentNode.data)) {
      const range = new Range();
      range.setStart(texts.currentNode, start);
      range.setEnd(texts.currentNode, end);
      yield range;
    }
  }
}

/** Marks the words of the strip's search in the cards that it draws, until `signal` aborts. */
export function highlightHits(strip, signal) {
  const hits = new SearchHighlights();
  let isOutdated = false; // whether cards have other texts since they were marked: most frames of a movement change none
  for (const type of ["willdisplay", "enddisplay", "reload", "settle"]) strip.addEventListener(type, () => (isOutdated = true), { signal });
  strip.addEventListener("draw", ({ target }) => {
    if (target !== strip || !isOutdated) return;
    isOutdated = false;
    hits.draw(strip);
  }, { signal });
  strip.addEventListener("error", () => hits.draw(strip), { signal, capture: true }); // a title takes the place of a picture
  signal.addEventListener("abort", () => hits.clear());
  hits.draw(strip);
}

class SearchHighlights {
  #marked = new Map(); // elements, each with its text and ranges
  #search; // the search that is marked, as text
  #find;

  /**
   * Marks the visible elements of the classes `title`, `mark` and `subtitle` in the strip's cards, or whole cards without
   * one. In a card without a picture, the `mark` stands for the title.
   */
  draw(strip) {
    const { view, corrected } = strip.meta;
    const q = view?.q ?? "";
    const search = JSON.stringify([q, corrected]);
    if (search !== this.#search) {
      this.clear();
      this.#search = search;
      this.#find = matcher(q, corrected);
    }
    if (!q) return;
    for (const card of strip.querySelectorAll(":scope > ul > [data-index]")) {
      const titles = card.querySelectorAll(".title, .mark, .subtitle");
      for (const title of titles.length ? titles : [card]) this.#mark(title);
    }
  }

  #mark(title) {
    const isShown = title.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const text = isShown && title.textContent; // ranges collapse if it changes, also if it changes back
    const marked = this.#marked.get(title);
    if (marked?.text === text && !marked.ranges.some((range) => range.collapsed)) return;
    for (const range of marked?.ranges ?? []) highlight.delete(range);
    const titleRanges = isShown ? [...ranges(title, this.#find)] : [];
    for (const range of titleRanges) highlight.add(range);
    this.#marked.set(title, { text, ranges: titleRanges });
  }

  clear() {
    for (const { ranges } of this.#marked.values()) for (const range of ranges) highlight.delete(range);
    this.#marked.clear();
  }
}
