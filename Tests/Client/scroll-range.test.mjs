import assert from "node:assert/strict";
import test from "node:test";
import { ScrollRange } from "../../Public/js/axes/scroll-range.js";
import { EDGE_MARGIN } from "../../Public/js/base/constants.js";

const BILLION = 166_536_939_121;

function rangeOf(strip, width, inset) {
  const range = new ScrollRange();
  range.resize(strip, width, inset);
  return range;
}

test("in a strip of limited length, offsets are scroll positions, and what is no number is 0", () => {
  const range = rangeOf({ extent: 9490 }, 800);
  assert.equal(range.length, 9490);
  assert.equal(range.moveTo(1234), 1234);
  assert.equal(range.origin, 0);
  assert.deepEqual([Infinity, -5, NaN, undefined, "no number", "400"].map((offset) => range.clamp(offset)), [8690, 0, 0, 0, 0, 400]);
});

test("a strip shorter than the viewport does not scroll", () => {
  const range = rangeOf({ extent: 300 }, 800);
  assert.deepEqual([range.clamp(100), range.moveTo(0), range.reaches(0)], [0, 0, true]);
});

test("an inset is room before the first item and after the last, and scrolls only if that does not fit", () => {
  for (const [extent, inset, ends] of [[300, 50, [-50, -50]], [720, 50, [-50, -30]], [9000, 50, [-50, 8250]], [300, 400, [-400, -100]]]) {
    const range = rangeOf({ extent }, 800, inset);
    assert.deepEqual([range.clamp(-Infinity), range.clamp(Infinity)], ends);
    assert.deepEqual([range.maxOffset, range.maxScroll], [ends[1], ends[1] - ends[0]]);
  }
});

test("the range stays below a million px, and reaches every offset exactly", () => {
  const range = rangeOf({ extent: BILLION }, 1280);
  assert.ok(range.length < 1_000_000);
  for (const offset of [0, 1, 99_999.25, 5e9 + 0.015625, BILLION / 2, BILLION - 1281, BILLION - 1280]) {
    const scroll = range.moveTo(offset);
    assert.ok(scroll >= 0 && scroll <= range.maxScroll, `${offset}`);
    assert.deepEqual([range.origin + scroll, range.reaches(offset)], [offset, true]);
  }
});

test("the range ends where the strip ends, and starts where it starts", () => {
  const range = rangeOf({ extent: BILLION }, 1280);
  assert.deepEqual([range.moveTo(range.clamp(Infinity)), range.reaches(range.maxOffset, 1)], [range.length - 1280, true]);
  assert.deepEqual([range.moveTo(0), range.reaches(0, 1)], [0, true]);
});

test("the scroll position is a whole number, and the origin has the fraction", () => {
  for (const extent of [BILLION, 9490.5]) {
    const range = rangeOf({ extent: extent }, 1280);
    for (const offset of [0, 0.5, 1234.015625, range.maxOffset, 700.75, 0]) {
      const scroll = range.moveTo(offset);
      assert.ok(Number.isInteger(scroll) && scroll >= 0 && scroll <= range.maxScroll);
      assert.equal(range.origin + scroll, offset);
    }
  }
});

test("small moves do not move the origin", () => {
  const range = rangeOf({ extent: BILLION }, 1280);
  range.moveTo(5e9);
  const { origin } = range;
  for (let step = 0; step < 200; step += 1) range.moveTo(5e9 + step * 1280);
  assert.equal(range.origin, origin);
});

test("a range in the middle of the strip does not reach past its own ends", () => {
  const range = rangeOf({ extent: BILLION }, 1280);
  range.moveTo(5e9);
  assert.deepEqual([0, range.length - 1280, 400_000].map((px) => range.reaches(range.origin + px, 1)), [false, false, true]);
});

test("a strip that wraps scrolls past both ends, and has no inset", () => {
  const range = rangeOf({ extent: 9500, wrap: true }, 800, 50);
  assert.deepEqual([range.clamp(-20_000), range.maxOffset], [-20_000, 8700]);
  const scroll = range.moveTo(-20_000);
  assert.equal(range.origin + scroll, -20_000);
  assert.ok(scroll > EDGE_MARGIN);
});

test("a page scrolls on to what is before and after the list", () => {
  const range = new ScrollRange();
  range.origin = -300;
  range.resize({ extent: 5000 }, 800, 0, 300, 120, 8_000_000);
  assert.deepEqual([range.length, range.maxOffset], [5420, 4200]);
  assert.deepEqual([-1000, 50, 9000].map((offset) => range.clamp(offset)), [-300, 50, 4320]);
  for (const [offset, scroll] of [[-300, 0], [0, 300], [4320, 4620]]) {
    assert.equal(range.moveTo(offset), scroll);
    assert.equal(range.origin, -300);
  }
});

test("before the first answer, the strip has no known ends, and no offset is NaN", () => {
  const range = new ScrollRange();
  for (const offset of [0, 300, -120.5, NaN, Infinity, -Infinity, "400", undefined]) {
    const clamped = range.clamp(offset);
    assert.ok(Number.isFinite(clamped));
    assert.equal(typeof range.reaches(clamped), "boolean");
    assert.equal(range.moveTo(clamped) + range.origin, clamped);
  }
  assert.equal(range.clamp(300), 300);
});
