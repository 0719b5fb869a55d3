import assert from "node:assert/strict";
import test from "node:test";
import { filled } from "../../Public/js/template.js";

test("placeholders are replaced by fields, unknown ones by nothing", () => {
  assert.equal(filled("{title} by {artist}{x}", { title: "Blue", artist: "J" }), "Blue by J");
});

test("a value that is one placeholder is undefined without its field", () => {
  assert.equal(filled("{image}", {}), undefined);
  assert.equal(filled("{image}", { image: "a.svg" }), "a.svg");
});

test("numbers and booleans are written out", () => {
  assert.equal(filled("{year}", { year: 1971 }), "1971");
  assert.equal(filled("{live}", { live: false }), "false");
});
