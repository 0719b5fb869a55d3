import assert from "node:assert/strict";
import test from "node:test";
import { intention } from "../../Public/js/keyboard.js";

test("arrows step, Page keys page, Home and End go to the ends, Enter and Space select", () => {
  const said = (key) => intention({ key });
  assert.deepEqual(said("ArrowLeft"), { step: -1 });
  assert.deepEqual(said("ArrowRight"), { step: 1 });
  assert.deepEqual(said("PageUp"), { page: -1 });
  assert.deepEqual(said("PageDown"), { page: 1 });
  assert.deepEqual(said("Home"), { end: -1 });
  assert.deepEqual(said("End"), { end: 1 });
  assert.deepEqual(said("Enter"), { select: true });
  assert.deepEqual(said(" "), { select: true });
});

test("other keys, and keys with a modifier, belong to the browser", () => {
  assert.equal(intention({ key: "a" }), null);
  assert.equal(intention({ key: "ArrowLeft", altKey: true }), null);
});
