// Px of the window and px of a node. Pointers and rectangles have px of the window. Scroll positions, sizes and styles have px
// of their node. They differ in an ancestor with `zoom` or `transform`.
import { create } from "./dom.js";

/** The node around a node, as they are drawn. */
export const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host;

/** The product of the `zoom` of a node and its ancestors. */
export function zoomOf(node) {
  let zoom = node.currentCSSZoom ?? 1;
  if (node.currentCSSZoom === undefined) for (let one = node; one; one = parentOf(one)) zoom *= parseFloat(getComputedStyle(one).zoom) || 1;
  return zoom;
}

let isZoomLeftOut; // of rectangles, as in WebKit: those in the document are divided by the zoom

/** The `top` and the `height` of a node, in px of the window. `strip` is drawn. */
export function boxOf(node, strip) {
  if (isZoomLeftOut === undefined) {
    const inner = create("div", { style: "zoom:2;width:8px" });
    const outer = create("div", { style: "position:absolute;width:8px" }, inner);
    strip.viewport.append(outer);
    const [one, other] = [inner, outer].map((box) => box.getBoundingClientRect().width);
    outer.remove();
    if (one) isZoomLeftOut = one < 1.5 * other;
  }
  const { top, height } = node.getBoundingClientRect();
  if (!isZoomLeftOut) return { top, height };
  const zoom = zoomOf(node);
  return { top: (top + scrollY) * zoom - scrollY, height: height * zoom };
}

/** How many px of the window one px of a node is. The node is `height` px high. Rectangles and heights are rounded, `zoom` is not. */
export function scaleOf(node, strip, height = node.offsetHeight) {
  const zoom = zoomOf(node);
  const transform = boxOf(node, strip).height / height / zoom;
  return transform > 1 / 64 && Math.abs(transform - 1) * height > 1 + height / 2 ** 20 ? zoom * transform : zoom;
}
