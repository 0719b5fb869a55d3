import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

createPage();
const { callHook, startPlugin } = await import("../../Public/js/base/plugin.js");
const { drag } = await import("../../Public/js/motion/drag.js");

let strip;
let card;
let told;
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  told = [];
  card = new FakeElement("li");
  const viewport = Object.assign(new FakeElement(), { currentCSSZoom: 1, offsetHeight: 100, getBoundingClientRect: () => ({ height: 100 }) });
  strip = Object.assign(new FakeElement("carousel-strip"), {
    ...{ hooks: { isMoving: new Set() }, viewport, axis: { isVertical: false }, offset: 1000, direction: 1, isTouched: false, setPointerCapture() {} },
    clamp: (px) => Math.min(2000, Math.max(0, px)),
    emit: (type) => told.push(type),
    scrollTo: mock.fn(({ offset, behavior }) => behavior || (strip.offset = offset)),
  });
  strip.stop = startPlugin(drag, strip);
});

/** Dispatches an event of the mouse on a card, or on `path`. Returns whether its default was prevented. */
function mouse(type, clientX, timeStamp, { path = [card, strip], ...more } = {}) {
  const event = new Event(type, { cancelable: true });
  const own = { clientX, timeStamp, pointerType: "mouse", button: 0, buttons: 1, target: path[0], composedPath: () => path, ...more };
  for (const [name, value] of Object.entries(own)) Object.defineProperty(event, name, { value });
  return !strip.dispatchEvent(event);
}

test("the mouse drags the strip, and throws it in the same direction", () => {
  mouse("pointerdown", 500, 0);
  mouse("pointermove", 498, 10);
  assert.deepEqual([strip.offset, told, callHook(strip, "isMoving")], [1000, [], undefined], "a click");
  mouse("pointermove", 440, 20);
  assert.deepEqual([strip.offset, told, callHook(strip, "isMoving")], [1060, ["panstart"], true]);
  mouse("pointerup", 440, 30);
  const { offset, behavior } = strip.scrollTo.mock.calls.at(-1).arguments[0];
  assert.ok(offset > 1060 && behavior === "smooth", `${offset}`);
  assert.deepEqual(told, ["panstart", "panend"]);
});

test("a pause before the release throws nothing, and the click after a drag is none", () => {
  mouse("pointerdown", 500, 0);
  for (const [type, time] of [["pointermove", 20], ["pointerup", 500]]) mouse(type, 400, time);
  assert.equal(strip.scrollTo.mock.calls.at(-1).arguments[0].offset, 1100);
  assert.equal(mouse("click", 400, 501), true);
  mock.timers.tick(0);
  assert.equal(mouse("click", 400, 900), false);
});

test("fingers, other buttons, columns and controls in a card drag nothing", () => {
  const input = Object.assign(new FakeElement("input"), { matches: () => true });
  const vertical = () => (strip.axis.isVertical = true);
  for (const [more, prepare] of [[{ pointerType: "touch" }], [{ button: 2 }], [{ path: [input, card, strip] }], [{}, vertical]]) {
    prepare?.();
    mouse("pointerdown", 500, 0, more);
    for (const type of ["pointermove", "pointerup"]) mouse(type, 300, 20);
    assert.equal(strip.offset, 1000);
  }
});

test("a drag that ends elsewhere ends with the next movement, and one of a removed strip at once", () => {
  for (const end of [() => mouse("pointermove", 300, 40, { buttons: 0 }), () => strip.stop()]) {
    mouse("pointerdown", 500, 0);
    mouse("pointermove", 400, 20);
    end();
    assert.equal(told.at(-1), "panend");
  }
  assert.equal(strip.hasAttribute("data-dragged"), false);
});
