// Pinching: two fingers, or Ctrl and the wheel, change the size of rows, or of the columns of a grid.

import { preserveAttributes } from "../base/morphing.js";

/** Sizes are powers of it, in px. So readers share cached responses. */
const STEP = 1.2;
const MIN_SIZE = 48;
const MAX_SIZE = 800;
/** The pinch of a trackpad is many turns of the wheel by a few px. A mouse wheel turns by more than the limit. */
const WHEEL = { limit: 60, slowness: 240, pause: 300 }; // px, px and ms
const ATTRIBUTES = { rows: "row", grid: "column" };

const pinched = new WeakSet();

/** With the attribute `pinch`, a strip sets its `row` or its `column`. The item at the fingers stays there. */
export function pinch(strip) {
  if (pinched.has(strip)) return;
  pinched.add(strip);
  let gestureStart; // what was between the fingers at first
  let wheelGesture; // what was at the wheel's pointer, and its `ratio`
  let pause;

  const sizeAttribute = () => strip.pinch && strip.axis.isVertical && ATTRIBUTES[strip.layout];

  /** What is at a point of the window. */
  const beginGesture = (x, y) => {
    const node = strip.getRootNode().elementFromPoint(x, y)?.closest("[data-index]");
    const item = node?.parentNode === strip.cardList && strip.items.find(({ index }) => index === +node.dataset.index);
    const [first] = strip.items;
    const size = strip[sizeAttribute()] ?? (strip.layout === "rows" ? first?.size : first?.width);
    if (!item) return { size };
    const { top, height } = node.getBoundingClientRect();
    return { size, item, at: item.start - strip.offset, part: (y - top) / height };
  };

  const resize = ({ size, item, at, part }, ratio) => {
    const steps = Math.round(Math.log(ratio) / Math.log(STEP));
    const power = Math.round(Math.log(size) / Math.log(STEP)) + steps;
    const next = steps ? Math.max(MIN_SIZE, Math.min(MAX_SIZE, Math.round(STEP ** power))) : size;
    const name = sizeAttribute();
    if (!size || next === strip[name]) return;
    const after = item && (item.size * next) / size;
    if (item) strip.axis.setAnchor(item.id, at + part * (item.size - after), after);
    preserveAttributes(strip);
    if (strip.layout === "grid") strip.columns = null; // a fixed number of columns ignores their width
    strip[name] = next;
  };

  const touch = (event) => {
    const [first, second, third] = event.touches;
    if (!second || third || !event.cancelable || !sizeAttribute()) return void (gestureStart = null);
    event.preventDefault(); // the page would be zoomed
    const distance = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
    gestureStart ??= { ...beginGesture((first.clientX + second.clientX) / 2, (first.clientY + second.clientY) / 2), distance };
    resize(gestureStart, distance / gestureStart.distance);
  };
  const options = { capture: true, passive: false };
  for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) strip.addEventListener(type, touch, options);

  strip.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || !sizeAttribute()) return;
    event.preventDefault();
    clearTimeout(pause);
    pause = setTimeout(() => (wheelGesture = null), WHEEL.pause);
    wheelGesture ??= { ...beginGesture(event.clientX, event.clientY), ratio: 1 };
    const ratio = wheelGesture.ratio * Math.exp(-Math.max(-WHEEL.limit, Math.min(WHEEL.limit, event.deltaY)) / WHEEL.slowness);
    wheelGesture.ratio = Math.max(MIN_SIZE / wheelGesture.size, Math.min(MAX_SIZE / wheelGesture.size, ratio));
    resize(wheelGesture, wheelGesture.ratio);
  }, options);
}
