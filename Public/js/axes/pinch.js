// Pinching: two fingers, or Ctrl and the wheel, change the size of rows, or of the columns of a grid.

import { keepChoices } from "../base/morphing.js";

/** Sizes are powers of it, in px. So readers share cached answers. */
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
  let grip; // what was between the fingers at first
  let wheelGrip; // what was at the wheel's pointer, and its `ratio`
  let pause;

  const nameOf = () => strip.pinch && strip.axis.keep && ATTRIBUTES[strip.layout];

  /** What is at a point of the window. */
  const hold = (x, y) => {
    const node = strip.getRootNode().elementFromPoint(x, y)?.closest("[data-index]");
    const item = node?.parentNode === strip.cardList && strip.items.find(({ index }) => index === +node.dataset.index);
    const [any] = strip.items;
    const size = strip[nameOf()] ?? (strip.layout === "rows" ? any?.size : any?.width);
    if (!item) return { size };
    const { top, height } = node.getBoundingClientRect();
    return { size, item, at: item.start - strip.offset, part: (y - top) / height };
  };

  const resize = ({ size, item, at, part }, ratio) => {
    const steps = Math.round(Math.log(ratio) / Math.log(STEP));
    const power = Math.round(Math.log(size) / Math.log(STEP)) + steps;
    const next = steps ? Math.max(MIN_SIZE, Math.min(MAX_SIZE, Math.round(STEP ** power))) : size;
    const name = nameOf();
    if (!size || next === strip[name]) return;
    const after = item && (item.size * next) / size;
    if (item) strip.axis.keep(item.id, at + part * (item.size - after), after);
    keepChoices(strip);
    if (strip.layout === "grid") strip.columns = null; // a fixed number of columns ignores their width
    strip[name] = next;
  };

  const touch = (event) => {
    const [one, other, more] = event.touches;
    if (!other || more || !event.cancelable || !nameOf()) return void (grip = null);
    event.preventDefault(); // the page would be zoomed
    const distance = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    grip ??= { ...hold((one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2), distance };
    resize(grip, distance / grip.distance);
  };
  const options = { capture: true, passive: false };
  for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) strip.addEventListener(type, touch, options);

  strip.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || !nameOf()) return;
    event.preventDefault();
    clearTimeout(pause);
    pause = setTimeout(() => (wheelGrip = null), WHEEL.pause);
    wheelGrip ??= { ...hold(event.clientX, event.clientY), ratio: 1 };
    const ratio = wheelGrip.ratio * Math.exp(-Math.max(-WHEEL.limit, Math.min(WHEEL.limit, event.deltaY)) / WHEEL.slowness);
    wheelGrip.ratio = Math.max(MIN_SIZE / wheelGrip.size, Math.min(MAX_SIZE / wheelGrip.size, ratio));
    resize(wheelGrip, wheelGrip.ratio);
  }, options);
}
