import type { CarouselStrip } from "./js/element.js";

/** The base class of the elements that filter the strip whose id is in `for`. */
export class StripFilter extends HTMLElement {
  /** The strip, or null. */
  readonly strip: CarouselStrip | null | undefined;
  /** Removes what this element selects. */
  clear(): void;
}

/**
 * A field that searches the items of a strip.
 *
 * @attr for - Id of the strip.
 * @slot "" - More controls. One with the name `sort` sorts.
 * @slot form - Replaces the field. Its control named `q` searches, and one named `sort` sorts.
 * @csspart search - The field.
 * @csspart result - The place of the number of items and of the button that clears the filters.
 * @csspart status - The number of items, if a filter selects them.
 * @csspart clear - The button that clears the filters, if no items match.
 */
export class CarouselSearch extends StripFilter {
}

/**
 * Chips for the most frequent values of a field, which filter the items of a strip.
 *
 * @attr for - Id of the strip.
 * @attr field - Name of the field. The strip's setting `filterable` must have it.
 * @attr limit - The number of values, 10 by default.
 * @slot "" - What stands before the chips, such as a heading.
 * @csspart facet - All parts of the field: what stands before the chips, the chips and the button for more.
 * @csspart chips - The group of chips.
 * @csspart chip - A chip.
 * @csspart selected - A chip whose value is selected.
 * @csspart value - The value in a chip.
 * @csspart count - The number of items in a chip.
 * @csspart more - The button that shows more values.
 * @csspart range - The fields for a range, of a field of many numbers.
 * @csspart limit - One of these fields.
 * @csspart unit - The unit of the numbers, after these fields.
 * @csspart result - The place of the number of items and of the button that clears the filters.
 * @csspart status - The number of items, if a filter selects them.
 * @csspart clear - The button that clears the filters, if no items match.
 */
export class CarouselFacets extends StripFilter {
}

/**
 * The active filters of a strip, also those that no facet shows. Each condition, and each value of a field, has a button that removes it.
 *
 * @attr for - Id of the strip.
 * @csspart chips - The group of buttons.
 * @csspart chip - A button that removes a filter.
 * @csspart value - The filter in a button.
 * @csspart cross - The cross in a button.
 * @csspart all - The button that removes all filters, if there are two or more.
 * @csspart result - The place of the number of items and of the button that clears the filters.
 * @csspart status - The number of items, if a filter selects them.
 * @csspart clear - The button that clears the filters, if no items match.
 */
export class CarouselFilters extends StripFilter {
}

declare global {
  interface HTMLElementTagNameMap {
    "carousel-search": CarouselSearch;
    "carousel-facets": CarouselFacets;
    "carousel-filters": CarouselFilters;
  }
}
