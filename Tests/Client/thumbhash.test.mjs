import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { decode } from "../../Public/js/cards/thumbhash.js";

/** Some px of the picture of a hash, by column and row. */
function look(hash, ...places) {
  const { width, height, rgba } = decode(hash);
  return [width, height, ...places.map(([x, y]) => [...rgba.slice(4 * (y * width + x)).slice(0, 4)])];
}

// Decoded by another implementation: https://pypi.org/project/thumbhash-python

test("a thumbhash has the picture that others decode from it", () => {
  assert.deepEqual(look("1QcSHQRnh493V4dIh4eXh1h4kJUI", [0, 0], [22, 0], [11, 16], [22, 31]), [23, 32, [64, 78, 113, 255], [85, 109, 139, 255], [140, 110, 89, 255], [0, 4, 40, 255]]);
  assert.deepEqual(look("JCgWNZh4d4h/eHh1h3h3iHdwhPiY", [0, 0], [31, 0], [16, 11], [31, 22]), [32, 23, [252, 62, 254, 255], [255, 106, 255, 255], [165, 177, 134, 255], [0, 49, 0, 255]]);
});

test("a thumbhash with alpha is transparent where the picture is", () => {
  const hash = "YsiFRJAYoJVwh3pY+EmYV3CFf4h4+Gd3CA==";
  assert.deepEqual(look(hash, [0, 0], [31, 0], [16, 13], [31, 25]), [32, 26, [52, 226, 46, 199], [49, 201, 205, 199], [139, 108, 145, 65], [201, 203, 195, 208]]);
});

test("a text that is no thumbhash is an error", () => {
  for (const text of ["", "AAAA", "AAAAAAAA", "~"]) assert.throws(() => decode(text), text);
});

test("a card keeps no listener for a picture that has loaded", async () => {
  let display; // a listener
  const canvas = { getContext: () => ({ putImageData() {} }), remove() {} };
  globalThis.document = { addEventListener: (_, listener) => (display = listener), querySelectorAll: () => [], createElement: () => canvas };
  globalThis.ImageData = class {};
  await import("../../Public/js/cards/thumbhash.js?page");
  const image = Object.assign(new EventTarget(), { before() {}, getAnimations: () => [] });
  display({ detail: { item: { fields: { thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI" } }, node: { querySelector: () => image } } });
  const listeners = () => ["load", "error"].map((type) => getEventListeners(image, type).length);
  assert.deepEqual(listeners(), [1, 1]);
  image.dispatchEvent(new Event("load"));
  assert.deepEqual(listeners(), [0, 0]);
});
