import assert from "node:assert/strict";
import test from "node:test";
import { MARGIN, alignedOffset, poolFor, sizeClass, tilesMeeting } from "../../Public/js/windows/geometry.js";
import { cases } from "./cases.mjs";

test("the size classes are those of the server", () => {
  for (const { px, rung, everyOther } of cases("ladder")) {
    assert.equal(sizeClass(px), everyOther, px);
    assert.equal(sizeClass(px, 8), rung, px);
  }
});

test("the sizes are every other size class of the server: 8, 10, 12, 14, 16, 20, ... 28, 32, 40, ...", () => {
  const sizes = [];
  for (let px = 8; sizes.at(-1) !== 80; px = sizes.at(-1) + 0.015625) sizes.push(sizeClass(px));
  assert.deepEqual(sizes, [8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80]);
});

test("a size class is its own", () => {
  for (const size of [8, 14, 16, 896, 2048, 196608]) assert.equal(sizeClass(size), size);
});

test("four tiles are a size class, and cover any viewport with its margins at any offset", () => {
  for (let width = 1; width < 9000; width += 37) {
    const pool = poolFor(width);
    const tile = pool / 4;
    assert.equal(pool, sizeClass(pool));
    assert.ok(pool - (tile - 1) >= width + 2 * MARGIN, `width ${width}`);
    assert.ok(pool <= Math.max(2 * (width + 2 * MARGIN), 64), `width ${width}: no more than twice as much`);
  }
});

test("tiles are half open, and have negative numbers before the start", () => {
  assert.deepEqual(tilesMeeting(0, 512, 512), [0]);
  assert.deepEqual(tilesMeeting(511.5, 512.5, 512), [0, 1]);
  assert.deepEqual(tilesMeeting(-1, 1, 512), [-1, 0]);
  assert.deepEqual(tilesMeeting(700, 100, 512), []);
});

test("an item is aligned as on the server", () => {
  for (const one of cases("alignment")) assert.equal(alignedOffset(one, one.align, one.width, one.from), one.offset, JSON.stringify(one));
});
