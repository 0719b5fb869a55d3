import assert from "node:assert/strict";
import test from "node:test";
import { MARGIN, alignedOffset, cellsMeeting, poolFor, rungAtLeast } from "../../Public/js/windows/geometry.js";

test("the sizes are every other rung of the ladder: 8, 10, 12, 14, 16, 20, ... 28, 32, 40, ...", () => {
  const rungs = [];
  for (let px = 8; rungs.at(-1) !== 80; px = rungs.at(-1) + 0.015625) rungs.push(rungAtLeast(px));
  assert.deepEqual(rungs, [8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80]);
});

test("a rung is its own least rung", () => {
  for (const rung of [8, 14, 16, 896, 2048, 196608]) assert.equal(rungAtLeast(rung), rung);
});

test("four cells are a rung, and cover any viewport with its margins at any offset", () => {
  for (let width = 1; width < 9000; width += 37) {
    const pool = poolFor(width);
    const cell = pool / 4;
    assert.equal(pool, rungAtLeast(pool));
    assert.ok(pool - (cell - 1) >= width + 2 * MARGIN, `width ${width}`);
    assert.ok(pool <= Math.max(2 * (width + 2 * MARGIN), 64), `width ${width}: no more than twice as much`);
  }
});

test("cells are half open, and have negative numbers before the start", () => {
  assert.deepEqual(cellsMeeting(0, 512, 512), [0]);
  assert.deepEqual(cellsMeeting(511.5, 512.5, 512), [0, 1]);
  assert.deepEqual(cellsMeeting(-1, 1, 512), [-1, 0]);
  assert.deepEqual(cellsMeeting(700, 100, 512), []);
});

test("an item is aligned as in /window", () => {
  const item = { start: 1140, size: 181 };
  assert.equal(alignedOffset(item, "start", 800, 0), 1140);
  assert.equal(alignedOffset(item, "end", 800, 0), 521);
  assert.equal(alignedOffset(item, "center", 800, 0), 830.5);
  assert.equal(alignedOffset({ start: 10, size: 1 / 64 }, "center", 1, 0), 9.5);
});

test("nearest moves as little as possible", () => {
  const item = { start: 1000, size: 100 };
  assert.equal(alignedOffset(item, "nearest", 800, 500), 500, "completely in view");
  assert.equal(alignedOffset(item, "nearest", 800, 0), 300, "its end is nearer");
  assert.equal(alignedOffset(item, "nearest", 800, 2000), 1000, "its start is nearer");
  assert.equal(alignedOffset(item, "nearest", 100, 0), 1000, "as long as the viewport");
  assert.equal(alignedOffset({ start: 0, size: 500 }, "nearest", 100, 200), 0, "longer");
});
