import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

const page = new EventTarget();
const observers = []; // functions that tell an observer whether the strip is in its area
class HTMLElement extends FakeElement {
  attachShadow = () => new FakeElement();
}
class IntersectionObserver {
  constructor(hear) {
    observers.push((isIntersecting) => hear([{ isIntersecting }]));
  }
  observe() {}
  disconnect() {}
}
createPage({ HTMLElement, IntersectionObserver, addEventListener: page.addEventListener.bind(page) });
const { startPlugin } = await import("../../Public/js/base/plugin.js");
const { ScrollingElement } = await import("../../Public/js/element/scrolling-element.js");
const { observeViewport } = await import("../../Public/js/element/viewport.js");

let strip;
let scroller;
let stop;
beforeEach(() => {
  stop?.();
  observers.splice(0);
  strip = Object.assign(new ScrollingElement(), { localName: "carousel-strip", querySelector: () => new FakeElement("ul"), requestDraw: mock.fn() });
  scroller = { touch: (isTouched) => (strip.isTouched = isTouched), end: mock.fn(), stop() {} };
  stop = startPlugin((_, on) => observeViewport(strip, on, scroller, () => {}), strip);
});

/** Fingers `down` are on the page when those of `changed` come down on `node`, or are lifted from it. */
function touch(type, node, changed, down, isPrevented) {
  const touchesOf = (fingers) => fingers.map((identifier) => ({ identifier }));
  const event = Object.assign(new Event(type, { cancelable: true }), { touches: touchesOf(down), changedTouches: touchesOf(changed), composedPath: () => [node, strip] });
  if (isPrevented) event.preventDefault();
  (type === "touchstart" ? strip : node).dispatchEvent(event);
  return strip.isTouched;
}

test("a strip is touched until the fingers that began on it are lifted, though others stay or their node is gone", () => {
  const node = new FakeElement("b");
  for (const [type, changed, down, isTouched] of [["touchstart", [1], [7, 1], true], ["touchstart", [2], [7, 1, 2], true], ["touchend", [1], [7, 2], true], ["touchcancel", [2], [7], false]]) {
    assert.equal(touch(type, node, changed, down), isTouched, type);
  }
  assert.equal(touch("touchstart", node, [3], [3], true), false, "it does not scroll");
  touch("touchstart", node, [4], [4]);
  stop();
  assert.equal(touch("touchend", node, [4], []), true, "nothing is heard any more");
});

test("scrolling of the reader ends the search for a place, and the end of a movement is told unless it is that of a jump before it", () => {
  const send = (type, state) => {
    Object.assign(scroller, { isStarting: false, isMovedByReader: false, ...state });
    strip.pendingScroll.end = mock.fn();
    scroller.end.mock.resetCalls();
    strip.viewport.dispatchEvent(new Event(type));
    return [strip.pendingScroll.end, scroller.end].map(({ mock: { calls } }) => calls.length);
  };
  assert.deepEqual([send("scroll", { isMovedByReader: true }), send("scroll")], [[1, 0], [0, 0]]);
  assert.deepEqual([send("scrollend"), send("scrollend", { isStarting: true })], [[0, 1], [0, 0]]);
});

test("a strip is drawn when it comes near the screen and onto it, and at the first input, unless it has left the page", () => {
  const [near, onScreen] = observers;
  near(true);
  assert.deepEqual([strip.isNearViewport, strip.isOnScreen, strip.mayPrefetch()], [true, undefined, false]);
  onScreen(true);
  assert.deepEqual([strip.isOnScreen, strip.requestDraw.mock.callCount()], [true, 2]);
  const gone = Object.assign(new ScrollingElement(), { requestDraw: mock.fn() });
  startPlugin((_, on) => observeViewport(gone, on, scroller, () => {}), gone)();
  for (const type of ["pointermove", "keydown"]) page.dispatchEvent(new Event(type));
  assert.deepEqual([strip.requestDraw.mock.callCount(), gone.requestDraw.mock.callCount(), gone.isNearViewport], [3, 0, false]);
});
