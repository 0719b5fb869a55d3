import assert from "node:assert/strict";
import test, { afterEach, beforeEach, mock } from "node:test";
import { callHook, start } from "../../Public/js/base/lifecycle.js";
import { rest } from "../../Public/js/motion/rest.js";

/** What a plugin needs of an element. */
class FakeStrip extends EventTarget {
  localName = "carousel-strip";
  hooks = Object.fromEntries(["show", "scrollTo", "ended", "isMoving", "align", "anchor"].map((name) => [name, new Set()]));
  pendingScroll = { place: null };
  offset = 0;
  isWaiting = false;
  isTouched = false;
  current = { id: "i7" };
  requestDraw = mock.fn();
  settled = [];

  get scrollTarget() {
    return this.target ?? this.offset;
  }

  emit(type, detail) {
    if (type === "settle") this.settled.push([this.offset, detail.id]);
    return this.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), { detail }));
  }
}

let strip;
beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  strip = Object.assign(new FakeStrip(), { onscrollend: null });
  start(rest, strip);
  draw(2);
  strip.settled = [];
});
afterEach(() => mock.timers.reset());

/** Draws, so often that the strip stands still. */
function draw(times = 1) {
  for (let k = 0; k < times; k += 1) callHook(strip, "show");
}

function move(offset) {
  strip.offset = offset;
  strip.dispatchEvent(new Event("scroll"));
  draw();
}

test("a strip settles once, when its movement has ended and it stands still", () => {
  move(100);
  draw(3);
  assert.deepEqual(strip.settled, [], "it has not ended");
  callHook(strip, "ended");
  draw(3);
  assert.deepEqual(strip.settled, [[100, "i7"]]);
});

test("an end that comes before the strip stands still waits for it", () => {
  callHook(strip, "ended");
  for (const offset of [10, 20, 30]) move(offset);
  assert.deepEqual(strip.settled, []);
  draw();
  assert.deepEqual(strip.settled, [[30, "i7"]]);
});

for (const [name, change] of Object.entries({
  "items in view are loading": { isWaiting: true },
  "a smooth movement goes on": { target: 900 },
  "a place is searched for": { pendingScroll: { place: { index: 5 } } },
})) {
  test(`a strip does not settle while ${name}`, () => {
    const former = Object.fromEntries(Object.keys(change).map((key) => [key, strip[key]]));
    Object.assign(strip, change);
    move(100);
    callHook(strip, "ended");
    draw(3);
    assert.deepEqual(strip.settled, []);
    Object.assign(strip, former, { target: undefined });
    callHook(strip, "ended");
    draw(2);
    assert.deepEqual(strip.settled, [[100, "i7"]]);
  });
}

test("the chain ends at the first step that moves the strip on, and begins again after that", () => {
  const asked = [];
  let mover = "isMoving";
  for (const name of ["isMoving", "align", "anchor"]) strip.hooks[name].add(() => (asked.push(name), name === mover));
  strip.addEventListener("rest", (event) => {
    asked.push("rest");
    if (mover === "rest") event.preventDefault();
  });
  for (const [next, expected] of [
    ["isMoving", ["isMoving"]],
    ["rest", ["isMoving", "rest"]],
    ["align", ["isMoving", "rest", "align"]],
    [null, ["isMoving", "rest", "align", "anchor"]],
  ]) {
    [mover, asked.length] = [next, 0];
    move(strip.offset + 10);
    callHook(strip, "ended");
    draw(2);
    assert.deepEqual(asked, expected);
    assert.equal(strip.settled.length, next ? 0 : 1);
  }
});

test("a movement whose end the browser did not report has ended after a second, unless a finger holds the strip", () => {
  strip.isTouched = true;
  move(100);
  mock.timers.tick(5000);
  draw(2);
  assert.deepEqual(strip.settled, []);
  strip.isTouched = false;
  move(120);
  mock.timers.tick(999);
  draw(2);
  assert.deepEqual(strip.settled, []);
  mock.timers.tick(1);
  draw(2);
  assert.deepEqual(strip.settled, [[120, "i7"]]);
});

test("after a reload, a strip settles again at the same offset", () => {
  strip.emit("reload", {});
  draw(2);
  assert.deepEqual(strip.settled, [[0, "i7"]]);
});
