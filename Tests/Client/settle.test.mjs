import assert from "node:assert/strict";
import test, { afterEach, beforeEach, mock } from "node:test";
import { callHook, startPlugin } from "../../Public/js/base/plugin.js";
import { settle } from "../../Public/js/motion/settle.js";

/** What a plugin needs of an element. */
class FakeStrip extends EventTarget {
  localName = "carousel-strip";
  hooks = Object.fromEntries(["afterRender", "scrollTo", "motionEnd", "isMoving", "snap", "beforeSettle"].map((name) => [name, new Set()]));
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
let stop;
beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  strip = Object.assign(new FakeStrip(), { onscrollend: null });
  stop = startPlugin(settle, strip);
  draw(2);
  strip.settled = [];
});
afterEach(() => mock.timers.reset());

/** Draws, so often that the strip stands still. */
function draw(times = 1) {
  for (let k = 0; k < times; k += 1) callHook(strip, "afterRender");
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
  callHook(strip, "motionEnd");
  draw(3);
  callHook(strip, "motionEnd"); // before the strip stands still
  for (const offset of [10, 20, 30]) move(offset);
  assert.deepEqual(strip.settled, [[100, "i7"]]);
  draw();
  assert.deepEqual(strip.settled, [[100, "i7"], [30, "i7"]]);
});

for (const [name, change] of Object.entries({
  "items in view are loading": { isWaiting: true },
  "a smooth movement goes on": { target: 900 },
  "a place is searched for": { pendingScroll: { place: { index: 5 } } },
})) {
  test(`a strip does not settle while ${name}`, () => {
    Object.assign(strip, change);
    move(100);
    callHook(strip, "motionEnd");
    draw(3);
    assert.deepEqual(strip.settled, []);
    Object.assign(strip, { isWaiting: false, target: undefined, pendingScroll: {} });
    callHook(strip, "motionEnd");
    draw(2);
    assert.deepEqual(strip.settled, [[100, "i7"]]);
  });
}

test("the chain ends at the first step that moves the strip on, and begins again after that", () => {
  const asked = [];
  let mover = "isMoving";
  for (const name of ["isMoving", "snap", "beforeSettle"]) strip.hooks[name].add(() => (asked.push(name), name === mover));
  strip.addEventListener("rest", (event) => {
    asked.push("rest");
    if (mover === "rest") event.preventDefault();
  });
  for (const [next, expected] of [
    ["isMoving", ["isMoving"]],
    ["rest", ["isMoving", "rest"]],
    ["snap", ["isMoving", "rest", "snap"]],
    [null, ["isMoving", "rest", "snap", "beforeSettle"]],
  ]) {
    [mover, asked.length] = [next, 0];
    move(strip.offset + 10);
    callHook(strip, "motionEnd");
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

test("a movement that goes on after a restart has not ended", () => {
  move(100);
  stop();
  const motionEnd = mock.fn();
  strip.hooks.motionEnd.add(motionEnd);
  mock.timers.tick(5000);
  assert.equal(motionEnd.mock.callCount(), 0);
});

test("a strip settles again where it was after a reload, and after it has moved away and back", () => {
  strip.emit("reload", {});
  draw(2);
  for (const offset of [60, 0]) move(offset);
  callHook(strip, "motionEnd");
  draw(2);
  assert.deepEqual(strip.settled, [[0, "i7"], [0, "i7"]]);
});
