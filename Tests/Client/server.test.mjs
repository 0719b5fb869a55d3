import assert from "node:assert/strict";
import test from "node:test";
import { isLink, isNotFound, safeURL } from "../../Public/js/windows/server.js";
import { cases } from "./cases.mjs";

test("a link is a link of the server, and its URL is safe", () => {
  for (const one of cases("links")) {
    assert.equal(isLink(one.link), one.isLink, one.link);
    assert.equal(isLink(one.link, /^https?$/i), one.isImage, one.link);
    assert.equal(safeURL(one.link) !== undefined, one.isLink, one.link);
  }
});

test("an invalid URL is not safe", () => {
  assert.equal(safeURL("http://["), undefined);
});

test("a place is not found if the server names it", () => {
  for (const parameter of ["index", "item", "align", "at"]) assert.ok(isNotFound({ parameter }), parameter);
  for (const parameter of ["strip", "attr-id", "inset", undefined]) assert.ok(!isNotFound({ parameter }), parameter);
});
