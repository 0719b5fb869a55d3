// The reading order of the cards: their order in the document, which screen readers and the Tab key follow.
import { focusedCard } from "../cards/card-pool.js";

/** At rest, puts the cards into the order of their items. */
export function keepReadingOrder(strip, on) {
  let placed = []; // the cards in reading order at the last rest, as [node, id]
  let settledOffset;
  on("windowchange settle", ({ type }) => {
    if (type === "settle") settledOffset = strip.offset;
    if (strip.offset !== settledOffset) return;
    const nodes = strip.items.map((item) => strip.nodeOf(item.index)).filter(Boolean);
    const stays = (node) => placed.some(([other, id]) => node === other && node.dataset.id === id);
    putInOrder(nodes, focusedCard(strip), stays);
    placed = nodes.map((node) => [node, node.dataset.id]);
  });
}

/**
 * Puts nodes into this document order. A node that moves loses the focus, reloads its frames and forgets its scroll
 * positions. So the others move around the focused one and those that stay.
 */
function putInOrder(nodes, focused, stays) {
  const follows = (node, other) => !other || other.compareDocumentPosition(node) & 4; // `Node.DOCUMENT_POSITION_FOLLOWING`
  const k = nodes.indexOf(focused);
  let last;
  const fixed = nodes.filter((node, j) => {
    const isFixed = j === k || (stays(node) && follows(node, last) && (j > k || follows(focused, node)));
    if (isFixed) last = node;
    return isFixed;
  });
  const list = nodes[0]?.parentNode;
  const move = list?.moveBefore ?? list?.insertBefore; // `moveBefore` keeps the state of a node
  nodes.forEach((node, j) => {
    const next = nodes[j - 1] ? nodes[j - 1].nextSibling : (fixed[0] ?? node);
    if (node !== next && !fixed.includes(node)) move.call(list, node, next);
  });
}
