import assert from "node:assert/strict";
import test from "node:test";
import { selectionOf, withSelection } from "../../Public/js/filters/clauses.js";

const artist = (where) => selectionOf(where, "artist");

test("no expression selects no values", () => {
  for (const where of [null, ""]) assert.deepEqual(artist(where), { values: [], rest: "" });
});

test("a clause with = or IN selects values of its field", () => {
  assert.deepEqual(artist('artist = "J. M. W. Turner"'), { values: ["J. M. W. Turner"], rest: "" });
  assert.deepEqual(artist("artist IN [Blake, 'O\\'Keeffe']"), { values: ["Blake", "O'Keeffe"], rest: "" });
  assert.deepEqual(artist('"artist"=Blake'), { values: ["Blake"], rest: "" });
});

test("other clauses stay", () => {
  const where = 'year 1800 TO 1850 AND artist = Blake AND (medium EXISTS OR NOT title != "a AND b")';
  const rest = 'year 1800 TO 1850 AND ( medium EXISTS OR NOT title != "a AND b" )';
  assert.deepEqual(artist(where), { values: ["Blake"], rest });
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
