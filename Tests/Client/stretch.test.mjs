import assert from "node:assert/strict";
import test from "node:test";
import { MARGIN, cellsMeeting, offsetShowing, poolFor, rungAbove } from "../../Public/js/stretch.js";

test("the ladder is 8, 9, ... 15, 16, 18, ... 30, 32, 36, ...", () => {
  const rungs = [];
  for (let px = 8; rungs.at(-1) !== 72; px = rungs.at(-1) + 0.015625) rungs.push(rungAbove(px));
  const first = [8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40];
  assert.deepEqual(rungs, [...first, 44, 48, 52, 56, 60, 64, 72]);
});

test("a rung stands for itself, and what is between two for the next", () => {
  for (const rung of [8, 15, 16, 832, 2048, 196608]) assert.equal(rungAbove(rung), rung);
  for (const [px, rung] of [[8.1, 9], [17, 18], [33, 36], [127.5, 128]]) assert.equal(rungAbove(px), rung);
});

test("for every viewport, four cells cover it with its margins wherever it stands, and are a rung", () => {
  for (let width = 1; width < 9000; width += 37) {
    const pool = poolFor(width);
    const cell = pool / 4;
    assert.equal(pool, rungAbove(pool));
    assert.ok(pool - (cell - 1) >= width + 2 * MARGIN, `width ${width}`);
    assert.ok(pool <= Math.max(2 * (width + 2 * MARGIN), 64), `width ${width}: no more than twice as much`);
  }
});

test("cells are half open, before the beginning too", () => {
  assert.deepEqual(cellsMeeting(0, 512, 512), [0]);
  assert.deepEqual(cellsMeeting(511.5, 512.5, 512), [0, 1]);
  assert.deepEqual(cellsMeeting(-1, 1, 512), [-1, 0]);
  assert.deepEqual(cellsMeeting(700, 100, 512), []);
});

test("an item is aligned as in /window", () => {
  const item = { start: 1140, size: 181 };
  assert.equal(offsetShowing(item, "start", 800, 0), 1140);
  assert.equal(offsetShowing(item, "end", 800, 0), 521);
  assert.equal(offsetShowing(item, "center", 800, 0), 830.5);
  assert.equal(offsetShowing({ start: 10, size: 1 / 64 }, "center", 1, 0), 9.5);
});

test("nearest moves as little as possible", () => {
  const item = { start: 1000, size: 100 };
  assert.equal(offsetShowing(item, "nearest", 800, 500), 500, "wholly in view");
  assert.equal(offsetShowing(item, "nearest", 800, 0), 300, "its end is nearer");
  assert.equal(offsetShowing(item, "nearest", 800, 2000), 1000, "its start is nearer");
  assert.equal(offsetShowing(item, "nearest", 100, 0), 1000, "as long as the viewport");
  assert.equal(offsetShowing({ start: 0, size: 500 }, "nearest", 100, 200), 0, "longer");
});
