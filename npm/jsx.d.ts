// The elements in JSX: import "carousel-strip/jsx".
import type { CarouselStrip } from "./js/element.js";

/** Attributes, as they are in HTML. */
export interface StripAttributes {
  strip?: string;
  list?: string;
  where?: string;
  q?: string;
  sort?: string;
  height?: number | string;
  loop?: "";
  snap?: string;
  inset?: number | string;
  step?: string;
  selection?: string;
  autoplay?: number | string;
  controls?: string;
  effects?: "";
  indicator?: "";
  "initial-index"?: number | string;
  "initial-item"?: string;
  history?: "";
  live?: number | string;
}

interface Common {
  id?: string;
  class?: string;
  lang?: string;
  dir?: string;
  slot?: string;
  style?: object;
  children?: any;
  key?: any;
  ref?: any;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  [data: `data-${string}`]: string | number | undefined;
}

interface Elements {
  "carousel-strip": StripAttributes & Common;
  "carousel-search": { for: string } & Common;
  "carousel-facets": { for: string; field: string; limit?: number | string } & Common;
}

declare global {
  namespace JSX {
    interface IntrinsicElements extends Elements {}
  }
}
