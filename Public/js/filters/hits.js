// Marks the words of a search in the titles and subtitles of cards, with CSS Custom Highlights: `::highlight(carousel-hit)`.

const highlight = new Highlight();
CSS.highlights.set("carousel-hit", highlight);

/** The words of a text, folded as on the server (Words.swift), each with its place. */
function* words(text) {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const folded = word.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase().replaceAll("ς", "σ");
    yield { folded, start: index, end: index + word.length };
  }
}

/** Returns a function that says whether a folded word is one that was searched: of `q`, or instead of its words. */
function test(q, corrected = []) {
  const asked = [...words(q)].map(({ folded }) => folded);
  const known = new Set([...asked, ...corrected.flatMap(({ to }) => to)]);
  const prefix = q.endsWith(" ") ? undefined : asked.at(-1);
  return (word) => known.has(word) || (prefix !== undefined && word.startsWith(prefix));
}

/** The ranges of an element's words that pass `isHit`. */
function* ranges(element, isHit) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const { folded, start, end } of words(texts.currentNode.data)) {
      if (!isHit(folded)) continue;
      const range = new Range();
      range.setStart(texts.currentNode, start);
      range.setEnd(texts.currentNode, end);
      yield range;
    }
  }
}

/** Marks the words of the strip's search in the cards that it draws, until `signal` aborts. */
export function markHits(strip, signal) {
  const hits = new Hits();
  strip.addEventListener("draw", (event) => event.target === strip && hits.draw(strip), { signal });
  strip.addEventListener("error", () => hits.draw(strip), { signal, capture: true }); // a title takes the place of a picture
  signal.addEventListener("abort", () => hits.clear());
  hits.draw(strip);
}

class Hits {
  #marked = new Map(); // elements, each with its text and ranges
  #search; // the search that is marked, as text
  #isHit;

  /**
   * Marks the visible elements of the classes `title`, `mark` and `subtitle` in the strip's cards, or whole cards without
   * one. In a card without a picture, the `mark` stands for the title.
   */
  draw(strip) {
    const { view, corrected } = strip.head;
    const q = view?.q ?? "";
    const search = JSON.stringify([q, corrected]);
    if (search !== this.#search) {
      this.clear();
      this.#search = search;
      this.#isHit = test(q, corrected);
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
    const known = this.#marked.get(title);
    if (known?.text === text && !known.ranges.some((range) => range.collapsed)) return;
    for (const range of known?.ranges ?? []) highlight.delete(range);
    const found = isShown ? [...ranges(title, this.#isHit)] : [];
    for (const range of found) highlight.add(range);
    this.#marked.set(title, { text, ranges: found });
  }

  clear() {
    for (const { ranges } of this.#marked.values()) for (const range of ranges) highlight.delete(range);
    this.#marked.clear();
  }
}
