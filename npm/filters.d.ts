import type { CarouselStrip } from "./js/element.js";

/** The base class of the elements that filter the strip whose id is in `for`. */
export class StripFilter extends HTMLElement {
  /** The strip, or null. */
  readonly strip: CarouselStrip | null | undefined;
  /** Removes what this element selects. */
  clear(): void;
}

export class CarouselSearch extends StripFilter {}
export class CarouselFacets extends StripFilter {}

declare global {
  interface HTMLElementTagNameMap {
    "carousel-search": CarouselSearch;
    "carousel-facets": CarouselFacets;
  }
}
