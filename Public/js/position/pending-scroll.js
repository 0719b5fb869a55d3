// A `scrollTo` that waits, since its place is not drawn.
import { resolveAnchor } from "./anchors.js";

/** Scrolls a strip to a place once it is found. After a failure, the place is searched again in the next windows. */
export class PendingScroll {
  /** The place that is searched for, or null. */
  place = null;
  #resolution;

  /** Searches in these windows. Resolves when the movement begins, or the first attempt has failed. */
  start(strip, place, windows) {
    this.end();
    this.place = place;
    this.#resolution = resolveAnchor(strip, [place, { offset: place.offset }], windows, (offset) => {
      this.end();
      return strip.scrollTo({ offset, behavior: place.behavior });
    });
    return this.#resolution.start();
  }

  /** Begins to search if the strip could not do so before: it was hidden, or might not request anything. */
  resume() {
    this.#resolution?.start();
  }

  end() {
    this.#resolution = this.#resolution?.end();
    this.place = null;
  }
}
