import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

let frames;
let isReduced;
let see; // tells the observer how much of the strip is on the screen
const document = createPage({
  requestAnimationFrame: (call) => frames.push(call),
  cancelAnimationFrame: () => (frames = []),
  matchMedia: (query) => ({ get matches() { return query.includes("motion") && isReduced; } }),
  IntersectionObserver: class {
    constructor(tell) {
      see = (share) => tell([{ intersectionRatio: share }]);
    }
    observe() {}
    disconnect() {}
  },
});
const { callHook, startPlugin } = await import("../../Public/js/base/plugin.js");
const { autoplay } = await import("../../Public/js/motion/autoplay.js");

const VIEWPORT = 500;
let now;
let stop;
beforeEach(() => {
  stop?.();
  [frames, isReduced, now] = [[], false, 0];
  document.body.replaceChildren();
  document.hidden = false;
});

/** A strip of 2,000 px in view with autoplay. It is at the places that it scrolls to at once, and `moved` has them. */
function play(value) {
  const viewport = new FakeElement();
  document.body.append(viewport);
  const moved = [];
  const strip = Object.assign(new EventTarget(), {
    ...{ localName: "carousel-strip", viewport, offset: 0, viewportSize: VIEWPORT, pendingScroll: {}, axis: { minOffset: 0, scrollPaddingOf: () => 0 }, meta: { count: 20 }, hooks: {}, moved },
    ...{ ended: 0, option: () => value, getRootNode: () => document, contains: () => false, matches: () => false, requestDraw() {} },
    clamp: (px) => Math.min(1500, Math.max(0, px)),
    scrollTo({ offset }) {
      moved.push((strip.offset = offset));
    },
  });
  Object.defineProperty(strip, "scrollTarget", { get: () => strip.target ?? strip.offset });
  for (const name of ["option", "isMoving", "motionEnd"]) strip.hooks[name] = new Set();
  strip.hooks.motionEnd.add(() => (strip.ended += 1));
  strip.stop = stop = startPlugin(autoplay, strip);
  see?.(1);
  strip.button = document.body.children.find(({ part }) => part === "pause");
  return strip;
}

/** Draws frames for `ms`. */
function pass(ms) {
  for (const end = now + ms; now < end;) {
    now += 50;
    for (const call of frames.splice(0)) call(now);
  }
}

test("a strip steps at regular intervals, and returns from its end to its start", () => {
  const strip = play("1000");
  pass(4000);
  assert.deepEqual(strip.moved, [500, 1000, 1500, 0]);
  strip.stop();
  assert.deepEqual([strip.button.isConnected, strip.predictedOffset], [false, undefined]);
  pass(3000);
  assert.equal(strip.moved.length, 4);
});

test("a value that is no time and no speed turns it off", () => {
  for (const value of ["soon", "-3000", "0", "marquee", "marquee 0", "marquee -5", "1.5", ""]) assert.equal(play(value).button, undefined, value);
  assert.equal(play(null).button, undefined);
});

const WAITS = {
  "less than half of it is on the screen": [() => see(0.4), () => see(0.5)],
  "the page is hidden": [() => (document.hidden = true), () => (document.hidden = false)],
  "a finger is on it": [(strip) => (strip.isTouched = true), (strip) => (strip.isTouched = false)],
  "it has no items yet": [(strip) => (strip.meta = null), (strip) => (strip.meta = { count: 20 })],
  "the reader prefers reduced motion": [() => (isReduced = true), () => (isReduced = false)],
  "it is paused": [({ button }) => button.click(), ({ button }) => button.click()],
};

for (const [name, [begin, end]] of Object.entries(WAITS)) {
  for (const value of ["1000", "marquee 100"]) {
    test(`${value} waits while ${name}, and goes on`, () => {
      const strip = play(value);
      pass(500);
      begin(strip);
      strip.moved.length = 0;
      pass(3000);
      assert.deepEqual(strip.moved, []);
      end(strip);
      pass(1100);
      assert.ok(strip.moved.length > 0);
    });
  }
}

test("the button says what it does, and is hidden with reduced motion", () => {
  const strip = play("1000");
  assert.equal(strip.button.textContent, "Pause");
  strip.button.click();
  assert.equal(strip.button.textContent, "Play");
  isReduced = true;
  pass(50);
  assert.equal(strip.button.hidden, true);
});

test("windows are requested where the strip will be in a second", () => {
  const strip = play("3000");
  pass(1900);
  assert.equal(strip.predictedOffset, 0);
  pass(500);
  assert.equal(strip.predictedOffset, 500);
  const marquee = play("marquee 100");
  pass(500);
  assert.ok(Math.abs(marquee.predictedOffset - marquee.offset - 100) <= 5); // before this frame
});

test("a marquee moves by its speed, never rests, and returns from its end to its start", () => {
  const strip = play("marquee 100");
  pass(200); // it begins after a pause
  strip.moved.length = 0;
  pass(1000);
  assert.equal(strip.moved.length, 20);
  assert.ok(strip.moved.every((offset, k) => !k || Math.abs(offset - strip.moved[k - 1] - 5) < 1e-6));
  assert.deepEqual([callHook(strip, "isMoving"), strip.ended], [true, 0]);
  strip.offset = 1500;
  pass(300);
  assert.ok(strip.moved.includes(0));
  strip.button.click();
  pass(50);
  assert.deepEqual([callHook(strip, "isMoving"), strip.ended], [undefined, 1]);
});

test("a marquee lets another movement end", () => {
  const strip = play("marquee 100");
  pass(500);
  strip.target = 900;
  pass(50);
  strip.moved.length = 0;
  pass(1000);
  assert.deepEqual([strip.moved, strip.ended], [[], 0]); // that movement ends by itself
  strip.target = undefined;
  pass(300);
  assert.ok(strip.moved.length > 0);
  strip.stop();
  assert.equal(strip.ended, 1);
});
