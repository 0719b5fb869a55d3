import assert from "node:assert/strict";
import test from "node:test";
import { MAX_OFFSET, MIN_OVERSCAN } from "../../Public/js/base/constants.js";
import { alignedOffset, inLap, insetOffset, positionOf, sizeClass, tileSizeFor, tilesMeeting, toSafeInteger, validPlace } from "../../Public/js/windows/geometry.js";
import { cases } from "./cases.mjs";

test("the size classes are those of the server", () => {
  for (const { px, rung, everyOther } of cases("ladder")) {
    assert.equal(sizeClass(px), everyOther, px);
    assert.equal(sizeClass(px, 8), rung, px);
  }
});

test("four tiles are a size class, and cover any viewport with its margins at any offset", () => {
  for (let width = 1; width < 9000; width += 37) {
    const pool = tileSizeFor(width);
    const tile = pool / 4;
    assert.equal(pool, sizeClass(pool));
    assert.ok(pool - (tile - 1) >= width + 2 * MIN_OVERSCAN, `width ${width}`);
    assert.ok(pool <= Math.max(2 * (width + 2 * MIN_OVERSCAN), 64), `width ${width}: no more than twice as much`);
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

test("a place has numbers that the server takes, and 0 for what is no number", () => {
  for (const [index, valid] of [[3.7, 4], [-0.4, 0], ["30", 30], ["abc", 0], [NaN, 0], [Infinity, Number.MAX_SAFE_INTEGER], [-1e300, -Number.MAX_SAFE_INTEGER]]) {
    assert.equal(toSafeInteger(index) + 0, valid);
    assert.equal(validPlace({ index }).index + 0, valid);
  }
  for (const [offset, valid] of [[1.5, 1.5], ["400", 400], [NaN, 0], [Infinity, MAX_OFFSET], [-1e300, -MAX_OFFSET], [null, undefined]]) assert.equal(validPlace({ offset }).offset, valid);
  assert.deepEqual(validPlace({ item: 5, at: NaN, align: "end" }), { item: "5", align: "end", index: undefined, offset: undefined, at: 0 });
});

test("an inset is before the first item of a strip, and not of a loop or a list", () => {
  for (const [more, offset] of [[{}, -40], [{ loop: true }, 0], [{ meta: { wrap: true } }, 0], [{ axis: { isVertical: true } }, 0]]) {
    assert.equal(insetOffset({ axis: {}, inset: "40", ...more }), offset);
  }
});

test("in a loop, an item has its index in the first lap, and the same position in each", () => {
  for (const [index, lap, own] of [[0, 0, 0], [4, 0, 4], [5, 1, 0], [-1, -1, 4], [-15, -3, 0]]) {
    assert.deepEqual(inLap({ index }, { wrap: true, count: 5 }), { index: own, lap });
    assert.equal(positionOf(index, 5), own + 1);
  }
  for (const meta of [{ count: 5 }, null]) assert.deepEqual(inLap({ index: 4 }, meta), { index: 4 });
  assert.equal(inLap(undefined, { wrap: true, count: 5 }), undefined);
});
