import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";
import { Scroller } from "../../Public/js/axes/scroller.js";

let strip;
let scroller;
let draws;
let scrolled; // what the axis was asked for: [position, behavior]
let reducesMotion;
beforeEach(() => {
  [draws, scrolled, reducesMotion] = [0, [], false];
  globalThis.matchMedia = () => ({ matches: reducesMotion });
  const axis = {
    position: 0,
    readPosition: () => axis.position,
    scrollTo(position, behavior) {
      scrolled.push([position, behavior]);
      if (behavior === "instant") axis.position = position;
    },
  };
  strip = { axis, direction: 1, viewportSize: 1000, meta: {}, hooks: { motionEnd: new Set() } };
  scroller = new Scroller(strip, () => (draws += 1));
  scroller.range.resize({ extent: 50_000 }, 1000);
  scroller.jump(0);
});

test("a near place is scrolled to smoothly, and the movement has a target until it ends", () => {
  scroller.scrollTo(600, "smooth");
  assert.deepEqual(scrolled.at(-1), [600, "smooth"]);
  assert.deepEqual([scroller.offset, scroller.target, scroller.isStarting, draws], [0, 600, true, 0]);
  strip.axis.position = 80;
  assert.deepEqual([scroller.offset, scroller.target, scroller.isStarting], [80, 600, false]);
  scroller.end();
  assert.equal(scroller.target, 80);
});

test("the reader moves the strip where no code has scrolled it", () => {
  scroller.scrollTo(600, "smooth");
  strip.axis.position = 80;
  assert.equal(scroller.isMovedByReader, false, "a smooth movement");
  scroller.end();
  scroller.jump(2000);
  assert.equal(scroller.isMovedByReader, false, "a jump");
  strip.axis.position += 50;
  assert.equal(scroller.isMovedByReader, true);
  scroller.syncOffset();
  assert.equal(scroller.isMovedByReader, false, "it is drawn there");
});

test("the strip jumps to a far place, without smooth behavior, and where the reader prefers reduced motion, but not past its ends", () => {
  const ended = mock.fn();
  strip.hooks.motionEnd.add(ended);
  scroller.scrollTo(9000, "smooth");
  scroller.scrollTo(9100);
  reducesMotion = true;
  scroller.scrollTo(9200, "smooth");
  assert.deepEqual([scroller.offset, scroller.target, scroller.isStarting], [9200, 9200, false]);
  assert.deepEqual([ended.mock.callCount(), draws], [3, 3]);
  assert.ok(scrolled.every(([, behavior]) => behavior === "instant"));
  assert.deepEqual([1e9, -5].map((offset) => (scroller.scrollTo(offset), scroller.offset)), [49_000, 0]);
});

test("while a finger touches the strip, code waits, and the last place counts", () => {
  scroller.touch(true);
  scroller.scrollTo(300);
  scroller.scrollTo(700);
  assert.equal(scroller.offset, 0);
  scroller.touch(false);
  assert.equal(scroller.offset, 700);
  scroller.touch(true);
  scroller.touch(false);
  assert.deepEqual([scroller.offset, draws], [700, 1]);
});

test("a cached scroll position is read once, until the strip jumps", () => {
  const position = mock.fn(() => 40);
  strip.axis.readPosition = position;
  scroller.cachePosition();
  assert.deepEqual([scroller.offset, scroller.offset, position.mock.callCount()], [40, 40, 1]);
  scroller.invalidatePosition();
  assert.deepEqual([scroller.offset, position.mock.callCount()], [40, 2]);
});

test("a strip whose direction has changed jumps to where it was drawn last", () => {
  scroller.jump(4000);
  strip.axis.position = 0; // the browser's, from the other side
  strip.direction = -1;
  scroller.syncOffset();
  assert.deepEqual([scroller.offset, scroller.lastOffset], [4000, 4000]);
  strip.axis.position = 4100;
  scroller.syncOffset();
  assert.equal(scroller.lastOffset, 4100);
});

test("when a movement ends near an end of the scroll positions, the origin moves and the offset stays", () => {
  scroller.range.resize({ extent: 1e9 }, 1000);
  scroller.jump(5e8);
  strip.axis.position = 790_000;
  const { offset } = scroller;
  scroller.end();
  assert.deepEqual([scroller.offset, strip.axis.position < 500_000], [offset, true]);
});
