// Px of the window and px of a node. Pointers and rectangles have px of the window. Scroll positions, sizes and styles have px
// of their node. They differ in an ancestor with `zoom` or `transform`.

/** The node around a node, as they are drawn. */
export const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host;

/** The product of the `zoom` of a node and its ancestors. */
export function zoomOf(node) {
  if (!node) return 1;
  return node.currentCSSZoom ?? (parseFloat(getComputedStyle(node).zoom) || 1) * zoomOf(parentOf(node));
}

/** The `top` and the `height` of a node, in px of the window. Browsers without `currentCSSZoom` divide rectangles in the document by the zoom. */
export function boxOf(node) {
  const { top, height } = node.getBoundingClientRect();
  if (node.currentCSSZoom) return { top, height };
  const zoom = zoomOf(node);
  return { top: (top + scrollY) * zoom - scrollY, height: height * zoom };
}

/** How many px of the window one px of a node is. The node is `height` px high. Rectangles and heights are rounded, `zoom` is not. */
export function scaleOf(node, height = node.offsetHeight) {
  const zoom = zoomOf(node);
  const transform = node.getBoundingClientRect().height / height / (node.currentCSSZoom ? zoom : 1); // see boxOf
  return transform > 1 / 64 && Math.abs(transform - 1) * height > 1 + height / 2 ** 20 ? zoom * transform : zoom;
}
