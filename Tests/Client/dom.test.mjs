import assert from "node:assert/strict";
import test from "node:test";
import { interpolate } from "../../Public/js/element/dom.js";

test("placeholders are replaced by fields, and by nothing without a field", () => {
  assert.equal(interpolate("{title} by {artist}{x}", { title: "Blue", artist: "J" }), "Blue by J");
});

test("a pattern of a single placeholder is undefined without its field", () => {
  assert.equal(interpolate("{image}", {}), undefined);
  assert.equal(interpolate("{image}", { image: "a.svg" }), "a.svg");
});

test("numbers and booleans become text", () => {
  assert.equal(interpolate("{year}", { year: 1971 }), "1971");
  assert.equal(interpolate("{live}", { live: false }), "false");
});

test("a color is one that the server allows too", () => {
  for (const color of ["#abc", "#12345678", "rebeccapurple"]) assert.equal(interpolate("{color}", { color }), color);
  for (const color of ["#12", "url(x)", "red;x", ""]) assert.equal(interpolate("{color}", { color }), undefined);
});
