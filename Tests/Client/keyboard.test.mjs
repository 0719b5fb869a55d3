import assert from "node:assert/strict";
import test from "node:test";
import { END, PAGE, SELECT, STEP, keyAction } from "../../Public/js/access/keyboard.js";

test("arrows step, Page keys page, Home and End go to the ends, Enter and Space select", () => {
  assert.equal(keyAction({ key: "ArrowLeft" }), -STEP);
  assert.equal(keyAction({ key: "ArrowRight" }), STEP);
  assert.equal(keyAction({ key: "ArrowRight" }, -1), -STEP);
  assert.equal(keyAction({ key: "PageUp" }), -PAGE);
  assert.equal(keyAction({ key: "PageDown" }, -1), PAGE);
  assert.equal(keyAction({ key: "Home" }), -END);
  assert.equal(keyAction({ key: "End" }), END);
  for (const key of ["Enter", " "]) assert.equal(keyAction({ key }), SELECT);
});

test("the strip ignores other keys, and keys with a modifier", () => {
  assert.ok(!keyAction({ key: "a" }));
  assert.ok(!keyAction({ key: "ArrowLeft", altKey: true }));
});
