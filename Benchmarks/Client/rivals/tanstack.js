import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from "rival/packages/virtual-core/src/index.ts";
import { box, cardOf, count, gap, itemAt, onLoad, ready, setWidth, widthOf } from "./page.js";

const inner = box.appendChild(document.createElement("div"));
inner.className = "inner";
const nodes = new Map(); // by index

const virtualizer = new Virtualizer({
  count,
  gap,
  horizontal: true,
  overscan: 5,
  estimateSize: widthOf,
  getScrollElement: () => box,
  scrollToFn: elementScroll,
  observeElementRect,
  observeElementOffset,
  onChange: () => draw(),
});

function draw() {
  const shown = virtualizer.getVirtualItems();
  inner.style.width = `${virtualizer.getTotalSize()}px`;
  const left = new Set(nodes.keys());
  for (const { index, start, size } of shown) {
    left.delete(index);
    if (!nodes.has(index)) nodes.set(index, inner.appendChild(document.createElement("div")));
    const [node, item] = [nodes.get(index), itemAt(index)];
    if (item && node.item !== item) [node.innerHTML, node.item] = [cardOf(item, index), item];
    node.style.cssText = `position:absolute;top:0;height:100%;width:${size}px;transform:translateX(${start}px)`;
  }
  for (const index of left) {
    nodes.get(index).remove();
    nodes.delete(index);
  }
}

onLoad(draw);
virtualizer._didMount();
virtualizer._willUpdate();
draw();
ready({
  scroller: box,
  scrollTo: (index) => virtualizer.scrollToIndex(index, { align: "start" }),
  resize: (index, width) => (setWidth(index, width), virtualizer.resizeItem(index, width)),
});
