import assert from "node:assert/strict";
import test from "node:test";
import { selectionOf, withSelection } from "../../Public/js/filters/clauses.js";
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
