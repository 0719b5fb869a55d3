import assert from "node:assert/strict";
import test from "node:test";
import { LocalizedFormatter } from "../../Public/js/language/fields.js";
import { clauseText } from "../../Public/js/filters/clause-text.js";
import { rangeOf, split, splitConditions, valuesOf, withRange, withValues } from "../../Public/js/filters/clauses.js";
import { cases } from "./cases.mjs";

const artist = (where) => valuesOf(where, "artist");

test("no expression selects no values", () => {
  for (const where of [null, ""]) assert.deepEqual(artist(where), { values: [], rest: "" });
});

for (const { where, values, rest, selection } of cases("filters")) {
  test(`${where} selects the values that it selects on the server`, () => {
    assert.deepEqual(artist(where), { values, rest });
    assert.equal(withValues(rest, "artist", values), selection);
  });
}

test("other clauses stay", () => {
  assert.deepEqual(artist("NOT artist = Blake AND artist != Blake"), { values: [], rest: "NOT artist = Blake AND artist != Blake" });
});

test("alternatives are one clause in parentheses", () => {
  assert.deepEqual(artist("artist = Blake OR year < 1800"), { values: [], rest: "( artist = Blake OR year < 1800 )" });
});

test("a selection is a clause of its own", () => {
  for (const rest of ["", "year < 1800"]) assert.equal(withValues(rest, "artist", []), rest);
  assert.equal(withValues("", "artist", ["Blake"]), 'artist = "Blake"');
  assert.equal(withValues("year < 1800", "artist", ["Blake", 'a "b" \\']), 'year < 1800 AND artist IN ["Blake", "a \\"b\\" \\\\"]');
  assert.equal(withValues("", "made in", ["1959"]), '"made in" = "1959"');
});

test("a selection is found again", () => {
  const [values, rest] = [['a "b" \\', "[x], (y)", "AND", "1959", ""], "( a = 1 OR b = 2 )"];
  assert.deepEqual(valuesOf(withValues(rest, "made in", values), "made in"), { values, rest });
});

const WORDS = { and: "und", or: "oder", not: "nicht {filter}", present: "vorhanden", absent: "fehlt" };
const FORMATTER = new LocalizedFormatter({ artist: { label: { en: "Artist", de: "Künstler" } }, n: { label: "Width", unit: "cm" } }, "de");
const described = (where) => split(where).map((clause) => clauseText(clause, FORMATTER, WORDS));

test("clauses are described for readers", () => {
  const where = `artist = "J. M. W. Turner" AND year 1800 TO 1850 AND medium IN [oil, 'oil on canvas'] AND n >= 3000 AND NOT a EXISTS AND a EXISTS`;
  assert.deepEqual(described(where), [
    "Künstler: J. M. W. Turner", "Year: 1800 – 1850", "Medium: oil, oil on canvas", "Width ≥ 3.000\u00a0cm", "A: fehlt", "A: vorhanden",
  ]);
});

test("compound conditions are described in words", () => {
  assert.deepEqual(described('artist = Blake OR (n > 3 AND NOT (a EXISTS OR medium != "oil")) OR NOT artist IN []'), [
    "Künstler: Blake oder (Width > 3\u00a0cm und nicht (A: vorhanden oder Medium ≠ oil)) oder nicht Künstler: ",
  ]);
  assert.deepEqual(described("(artist = Blake OR NOT n < 2) AND NOT NOT (a = 1)"), ["Künstler: Blake oder nicht Width < 2\u00a0cm", "nicht nicht (A: 1)"]);
});

test("what is no expression stays as it is spelled", () => {
  for (const where of ["artist =", "artist", "a b c", "a constructor b", "(a = 1", "a IN [1", "NOT", "a 1 TO"]) assert.equal(described(where).join(), split(where)[0].join(" "));
});

const removed = (where) => splitConditions(where).map(({ clause, rest }) => [clause.join(" "), rest]);

test("each value that a clause selects in one field can be removed", () => {
  assert.deepEqual(removed('n > 3 AND artist IN [Blake, "J. M. W. Turner", 1] AND a EXISTS'), [
    ["n > 3", 'artist IN [ Blake , "J. M. W. Turner" , 1 ] AND a EXISTS'],
    ["artist = Blake", 'n > 3 AND artist IN [ "J. M. W. Turner" , 1 ] AND a EXISTS'],
    ['artist = "J. M. W. Turner"', "n > 3 AND artist IN [ Blake , 1 ] AND a EXISTS"],
    ["artist = 1", 'n > 3 AND artist IN [ Blake , "J. M. W. Turner" ] AND a EXISTS'],
    ["a EXISTS", 'n > 3 AND artist IN [ Blake , "J. M. W. Turner" , 1 ]'],
  ]);
  assert.deepEqual(removed('year = 1901 OR "year" = 1902'), [["year = 1901", "year = 1902"], ["year = 1902", "year = 1901"]]);
  assert.deepEqual(removed("a = 1 AND (b = 2 OR b IN [3, 4])").map(([clause]) => clause), ["a = 1", "b = 2", "b = 3", "b = 4"]);
});

test("other clauses are removed as a whole", () => {
  for (const where of ["( a = 1 OR b = 2 )", "( a = 1 OR a > 2 )", "( a = 1 OR ( a = 2 ) )", "NOT a IN [ 1 , 2 ]", "a IN [ ]", "a IN [ 1 ]", "( a = 1 )", "( a = 1 OR )", "( )"]) {
    assert.deepEqual(removed(where), [[where, ""]]);
  }
});

test("a range is found in an expression, and replaced", () => {
  assert.deepEqual(rangeOf("year >= 1800 AND medium = oil AND year <= 1850", "year"), { rest: "medium = oil", lower: "1800", upper: "1850" });
  assert.deepEqual(rangeOf("year 1800 TO 1850", "year"), { rest: "", lower: "1800", upper: "1850" });
  assert.deepEqual(rangeOf("year >= 1800 AND year >= 1900", "year"), { rest: "year >= 1900", lower: "1800" });
  assert.equal(withRange("medium = oil", "the year", "1800", ""), 'medium = oil AND "the year" >= 1800');
  assert.equal(withRange("", "year", "", ""), "");
});
