import assert from "node:assert/strict";
import test from "node:test";
import { intention } from "../../Public/js/keyboard.js";

test("arrows step, Page keys page, Home and End go to the ends, Enter and Space select", () => {
  const said = (key, sign) => Object.values(intention({ key }, sign));
  assert.deepEqual(said("ArrowLeft"), ["step", -1]);
  assert.deepEqual(said("ArrowRight"), ["step", 1]);
  assert.deepEqual(said("ArrowRight", -1), ["step", -1]);
  assert.deepEqual(said("PageUp"), ["page", -1]);
  assert.deepEqual(said("PageDown", -1), ["page", 1]);
  assert.deepEqual(said("Home"), ["end", -1]);
  assert.deepEqual(said("End"), ["end", 1]);
  for (const key of ["Enter", " "]) assert.equal(intention({ key }).act, "select");
});

test("other keys, and keys with a modifier, belong to the browser", () => {
  assert.equal(intention({ key: "a" }).act, undefined);
  assert.equal(intention({ key: "ArrowLeft", altKey: true }).act, undefined);
});
