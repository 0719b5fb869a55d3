import assert from "node:assert/strict";
import test from "node:test";
import { Canvas, NEAR_END } from "../../Public/js/canvas.js";

const BILLION = 166_536_939_121;

function canvasOf(strip, width) {
  const canvas = new Canvas();
  canvas.fit(strip, width);
  return canvas;
}

test("a strip that fits is its own canvas", () => {
  const canvas = canvasOf({ extent: 9490 }, 800);
  assert.equal(canvas.length, 9490);
  assert.equal(canvas.place(1234), 1234);
  assert.equal(canvas.origin, 0);
  assert.equal(canvas.clamp(Infinity), 8690);
  assert.equal(canvas.clamp(-5), 0);
});

test("a strip shorter than the viewport does not scroll", () => {
  const canvas = canvasOf({ extent: 300 }, 800);
  assert.equal(canvas.clamp(100), 0);
  assert.equal(canvas.place(0), 0);
  assert.ok(canvas.reaches(0));
});

test("the canvas stays under a million px, and every place is reached exactly", () => {
  const canvas = canvasOf({ extent: BILLION }, 1280);
  assert.ok(canvas.length < 1_000_000);
  for (const offset of [0, 1, 99_999.25, 5e9 + 0.015625, BILLION / 2, BILLION - 1281, BILLION - 1280]) {
    const scroll = canvas.place(offset);
    assert.ok(scroll >= 0 && scroll <= canvas.room, `${offset}`);
    assert.equal(canvas.origin + scroll, offset);
    assert.ok(canvas.reaches(offset));
  }
});

test("at the end of the strip the canvas ends as well, at its beginning it begins", () => {
  const canvas = canvasOf({ extent: BILLION }, 1280);
  assert.equal(canvas.place(canvas.clamp(Infinity)), canvas.length - 1280);
  assert.ok(canvas.reaches(canvas.end, 1));
  assert.equal(canvas.place(0), 0);
  assert.ok(canvas.reaches(0, 1));
});

test("the scroll position is a whole number, and the origin has the rest", () => {
  for (const extent of [BILLION, 9490.5]) {
    const canvas = canvasOf({ extent: extent }, 1280);
    for (const offset of [0, 0.5, 1234.015625, canvas.end, 700.75, 0]) {
      const scroll = canvas.place(offset);
      assert.ok(Number.isInteger(scroll) && scroll <= canvas.room);
      assert.equal(canvas.origin + scroll, offset);
    }
  }
});

test("small moves leave the origin where it is", () => {
  const canvas = canvasOf({ extent: BILLION }, 1280);
  canvas.place(5e9);
  const { origin } = canvas;
  for (let step = 0; step < 200; step += 1) canvas.place(5e9 + step * 1280);
  assert.equal(canvas.origin, origin);
});

test("scrolled to its end, a canvas in the midst of the strip reaches no further", () => {
  const canvas = canvasOf({ extent: BILLION }, 1280);
  canvas.place(5e9);
  assert.ok(!canvas.reaches(canvas.origin, 1));
  assert.ok(!canvas.reaches(canvas.origin + canvas.length - 1280, 1));
  assert.ok(canvas.reaches(canvas.origin + 400_000, 1));
});

test("a strip that wraps goes on past both ends", () => {
  const canvas = canvasOf({ extent: 9500, wrap: true }, 800);
  assert.equal(canvas.clamp(-20_000), -20_000);
  const scroll = canvas.place(-20_000);
  assert.equal(canvas.origin + scroll, -20_000);
  assert.ok(scroll > NEAR_END);
});
