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
 * The most frequent values of a field, which filter the items of a strip: as chips, or as a list of check boxes.
 *
 * @attr for - Id of the strip.
 * @attr field - Name of the field. The strip's setting `filterable` must have it.
 * @attr limit - The number of values, 10 by default.
 * @attr display - `list`: check boxes below one another, for a column or a sheet. If absent, one line of chips.
 * @slot "" - What stands before the values, such as a heading. In a list, a `template` here stands before each value, such as a color swatch: `{value}` is the value in the data, `{label}` its text.
 * @csspart facet - All parts of the field: what stands before the values, the values and the button for more.
 * @csspart chips - The group of chips.
 * @csspart chip - A chip.
 * @csspart selected - A chip whose value is selected.
 * @csspart options - The values of a list.
 * @csspart option - A value of a list.
 * @csspart check - The check box of a value.
 * @csspart value - The text of a value.
 * @csspart count - The number of items with a value.
 * @csspart more - The button that shows more values.
 * @csspart find - The field that finds values of a list, after a press of the button for more.
 * @csspart range - The fields for a range, of a field of many numbers or days.
 * @csspart limit - One of these fields.
 * @csspart slider - The line with two handles, in a list.
 * @csspart handle - A handle of the line.
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
