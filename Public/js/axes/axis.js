// The interface of axes, and which axis a layout has.

/**
 * How a strip scrolls and places its cards: along x as `HorizontalAxis`, or along y as `VerticalAxis`. `strip.axis` is one of them,
 * or that of a viewer. Every axis has all of these members but those in brackets. Lengths are px of the strip, along the axis unless they
 * say otherwise.
 *
 * @typedef {object} Axis
 *
 * What it is:
 * @property {boolean} isVertical - whether it is y.
 * @property {boolean} isInFlow - whether something else than the part `viewport` scrolls the strip. Nothing snaps then.
 * @property {"width" | "height"} parameter - the parameter of `/window` for a length along the axis.
 * @property {"center" | "nearest"} align - how a selected item is aligned if the strip does not snap.
 *
 * Requests:
 * @property {object} query - the parameters of `/window` that the sizes of the items depend on.
 * @property {(meta) => number} heightOf - the height that the page shows the server's first window at. 0 if its sizes are others.
 *
 * The viewport:
 * @property {number} viewportSize - the length of the viewport. Reading it causes no layout.
 * @property {number} minOffset - the least offset: see `maxOffset` of strips.
 * @property {(group) => number} scrollPaddingOf - how much of the viewport is covered at its start when an item of `group` is there.
 * @property {() => void} measure - finds what scrolls, and its size. The viewport has another size.
 * @property {() => boolean} syncLayout - follows the content around the list. Returns whether to `measure` again.
 * @property {() => number} readPosition - the scroll position, from the leading edge. It follows the content around the list first,
 *   which can move the origin.
 * @property {(position, behavior) => void} scrollTo - scrolls to a scroll position.
 * @property {(on, listener) => Function | void} listen - calls `listener` with events of what scrolls besides the viewport. Returns
 *   a function that ends what `on` does not.
 *
 * The items:
 * @property {(response, range, list) => string} resize - sets the length that can be scrolled for a response. Returns the rules of the
 *   strip's style sheet.
 * @property {(node, item, start, direction) => void} place - moves the card of an item to `start` px after scroll position 0.
 * @property {(offset) => object[]} anchorsInView - the places to return to when the strip is shown again, the best one first.
 * @property {() => void} relayout - requests the items with other sizes, and keeps what is in view.
 * @property {(id, at, size) => void} [setAnchor] - keeps the item `id` at `at` px of the viewport when its size changes next, to about `size` px.
 * @property {() => void} [remove] - undoes what the axis changed: the strip gets another one.
 * @property {(event) => number | undefined} directionOf - the direction of a key of the axis' own: 1 or -1.
 * @property {(event, from) => object | undefined} nextItem - the item that such a key leads to from that of index `from`.
 */

/** Whether the layout of a strip needs another axis than the strip has. */
export function needsOtherAxis(strip) {
  return ((strip.getAttribute("layout") ?? "strip") === "strip") === strip.axis.isVertical;
}
