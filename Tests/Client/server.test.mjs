import assert from "node:assert/strict";
import test from "node:test";
import { backoffDelay, isLink, isNotFound, safeURL, untilLoaded } from "../../Public/js/windows/server.js";
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

test("delays before retries double, differ by chance, and end at 30 seconds", () => {
  for (const failures of [0, 1, 5]) {
    const delays = Array.from({ length: 100 }, () => backoffDelay(failures) / 2 ** failures);
    assert.ok(delays.every((delay) => delay >= 500 && delay <= 1000));
    assert.ok(new Set(delays).size > 1);
  }
  assert.equal(backoffDelay(9), 30_000);
});

test("what does not load is loaded again, in Firefox from another address", async (context) => {
  context.mock.method(globalThis, "setTimeout", (go) => queueMicrotask(go));
  const url = new URL("../../Public/js/base/months.js", import.meta.url).href;
  for (const [message, expected] of [[`error loading dynamically imported module: ${url}`, 1], [`Failed to fetch dynamically imported module: ${url}`, 3]]) {
    let tries = 0;
    const found = await untilLoaded(async () => {
      tries += 1;
      if (tries < 3) throw new TypeError(message);
      return import(url);
    });
    assert.equal(typeof found.groupTitle, "function");
    assert.equal(tries, expected);
  }
});
