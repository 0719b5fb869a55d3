// A `scrollTo` that waits, since its place is not drawn.
import { search } from "./search.js";

/** Scrolls a strip to a place once it is found. After a failure, the place is searched again in the next windows. */
export class PendingScroll {
  /** The place that is searched for, or null. */
  place = null;
  #search;

  /** Searches in these windows. Resolves when the movement begins, or the first attempt has failed. */
  start(strip, place, windows) {
    this.end();
    this.place = place;
    this.#search = search(strip, [place, { offset: place.offset }], windows, (offset) => {
      this.end();
      return strip.scrollTo({ offset, behavior: place.behavior });
    });
    return this.#search.start();
  }

  /** Begins to search if the strip could not do so before: it was hidden, or might not request anything. */
  resume() {
    this.#search?.start();
  }

  end() {
    this.#search = this.#search?.end();
    this.place = null;
  }
}
