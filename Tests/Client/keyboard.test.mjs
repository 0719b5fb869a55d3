import assert from "node:assert/strict";
import test from "node:test";
import { END, PAGE, SELECT, STEP, intention } from "../../Public/js/keyboard.js";

test("arrows step, Page keys page, Home and End go to the ends, Enter and Space select", () => {
  assert.equal(intention({ key: "ArrowLeft" }), -STEP);
  assert.equal(intention({ key: "ArrowRight" }), STEP);
  assert.equal(intention({ key: "ArrowRight" }, -1), -STEP);
  assert.equal(intention({ key: "PageUp" }), -PAGE);
  assert.equal(intention({ key: "PageDown" }, -1), PAGE);
  assert.equal(intention({ key: "Home" }), -END);
  assert.equal(intention({ key: "End" }), END);
  for (const key of ["Enter", " "]) assert.equal(intention({ key }), SELECT);
});

test("other keys, and keys with a modifier, belong to the browser", () => {
  assert.ok(!intention({ key: "a" }));
  assert.ok(!intention({ key: "ArrowLeft", altKey: true }));
});
