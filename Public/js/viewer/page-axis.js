// The axis of a viewer: one item fills the viewport.
import { HorizontalAxis } from "../axes/horizontal.js";

/**
 * A strip along x in which each item is as long as the viewport. The server arranges the items as a grid of one column. Its
 * cells are as high as this viewport is wide, so that y of the grid is x of the strip. `settings` are those of the strip.
 */
export class PageAxis extends HorizontalAxis {
  parameter = "height";
  #strip;
  #settings;

  constructor(strip, settings) {
    super(strip);
    [this.#strip, this.#settings] = [strip, settings];
  }

  get query() {
    const { cellAspect, caption } = this.#settings;
    return { layout: "grid", columns: 1, width: Math.max(16, (this.#strip.clientWidth - caption) * cellAspect) };
  }
}
