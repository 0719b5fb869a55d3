import assert from "node:assert/strict";
import test from "node:test";
import { FieldTexts } from "../../Public/js/access/fields.js";
import { describe, rangeOf, selectionOf, split, withRange, withSelection } from "../../Public/js/filters/clauses.js";
import { cases } from "./cases.mjs";

const artist = (where) => selectionOf(where, "artist");

test("no expression selects no values", () => {
  for (const where of [null, ""]) assert.deepEqual(artist(where), { values: [], rest: "" });
});

for (const { where, values, rest, selection } of cases("filters")) {
  test(`${where} selects the values that it selects on the server`, () => {
    assert.deepEqual(artist(where), { values, rest });
    assert.equal(withSelection(rest, "artist", values), selection);
  });
}

test("other clauses stay", () => {
  assert.deepEqual(artist("NOT artist = Blake AND artist != Blake"), { values: [], rest: "NOT artist = Blake AND artist != Blake" });
});

test("alternatives are one clause in parentheses", () => {
  assert.deepEqual(artist("artist = Blake OR year < 1800"), { values: [], rest: "( artist = Blake OR year < 1800 )" });
});

test("a selection is a clause of its own", () => {
  assert.equal(withSelection("", "artist", []), "");
  assert.equal(withSelection("year < 1800", "artist", []), "year < 1800");
  assert.equal(withSelection("", "artist", ["Blake"]), 'artist = "Blake"');
  assert.equal(withSelection("year < 1800", "artist", ["Blake", 'a "b" \\']), 'year < 1800 AND artist IN ["Blake", "a \\"b\\" \\\\"]');
  assert.equal(withSelection("", "made in", ["1959"]), '"made in" = "1959"');
});

test("a selection is found again", () => {
  const values = ['a "b" \\', "[x], (y)", "AND", "1959", ""];
  assert.deepEqual(selectionOf(withSelection("( a = 1 OR b = 2 )", "made in", values), "made in"), { values, rest: "( a = 1 OR b = 2 )" });
});

test("clauses are described for readers", () => {
  const clauses = split(`artist = "J. M. W. Turner" AND year 1800 TO 1850 AND medium IN [oil, 'oil on canvas'] AND n >= 3000 AND NOT a EXISTS`);
  const texts = new FieldTexts({ artist: { label: { en: "Artist", de: "Künstler" } }, n: { label: "Width", unit: "cm" } }, "de");
  assert.deepEqual(clauses.map((clause) => describe(clause, texts)), [
    "Künstler: J. M. W. Turner", "year: 1800 – 1850", "medium: oil, oil on canvas", "Width ≥ 3.000\u00a0cm", "NOT a EXISTS",
  ]);
});

test("a range is found in an expression, and replaced", () => {
  assert.deepEqual(rangeOf("year >= 1800 AND medium = oil AND year <= 1850", "year"), { rest: "medium = oil", least: "1800", greatest: "1850" });
  assert.deepEqual(rangeOf("year 1800 TO 1850", "year"), { rest: "", least: "1800", greatest: "1850" });
  assert.deepEqual(rangeOf("year >= 1800 AND year >= 1900", "year"), { rest: "year >= 1900", least: "1800" });
  assert.equal(withRange("medium = oil", "the year", "1800", ""), 'medium = oil AND "the year" >= 1800');
  assert.equal(withRange("", "year", "", ""), "");
});
