import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

createPage();
const { startPlugin } = await import("../../Public/js/base/plugin.js");
const { hasURLPosition, urlState } = await import("../../Public/js/position/url-state.js");

let saved; // the calls of the history
let strip;

/** A strip of items of 100 px, and the page's address. */
function open(query, prefix = "") {
  saved = [];
  globalThis.location = `https://page.example/?${query}`;
  const save = (method) => (_, __, url) => saved.push([method, url.search.slice(1)]);
  globalThis.history = { state: null, replaceState: save("replace"), pushState: save("push") };
  const items = Array.from({ length: 20 }, (_, index) => ({ index, id: `i${index}`, start: 100 * index, size: 100 }));
  strip = Object.assign(new FakeElement("carousel-strip"), {
    ...{ hooks: { option: new Set() }, strip: "albums", items, viewportSize: 500, offset: 0, inset: null, meta: {}, initialIndex: null, initialItem: null },
    ...{ axis: { isVertical: false, scrollPaddingOf: () => 0 }, option: (name) => (name === "history" ? prefix : strip.getAttribute(name)), scrollTo: mock.fn(), refetch: mock.fn(), reload: mock.fn() },
  });
  const { setAttribute } = strip;
  strip.setAttribute = (...rest) => setAttribute(...rest) && strip.dispatchEvent(new Event("beforereload", { cancelable: true })) && strip.reload();
  startPlugin(urlState, strip);
}

const tell = (type, timeStamp = 0) => {
  const event = Object.assign(new Event(type), { composedPath: () => [strip] });
  Object.defineProperty(event, "timeStamp", { value: timeStamp });
  strip.dispatchEvent(event);
};

test("the address has the first item in view and its place, and none at the start", () => {
  open("x=1");
  for (strip.offset of [250, 0]) tell("settle");
  assert.deepEqual(saved, [["replace", "x=1&strip=albums&item=i2&at=-50&offset=250"], ["replace", "x=1&strip=albums"]]);
});

test("a strip starts at the place in the address, with its prefix, and with the view in it", () => {
  open("a-item=i7&a-at=-20&a-offset=720&item=i1", "a");
  assert.deepEqual(strip.scrollTo.mock.calls[0].arguments, [{ index: undefined, item: "i7", at: -20, offset: 720 }]);
  assert.equal(hasURLPosition(strip), true);
  open("strip=albums&q=blue&sort=year");
  assert.deepEqual(["q", "sort"].map(strip.getAttribute), ["blue", "year"]);
  assert.deepEqual([strip.refetch.mock.callCount(), strip.reload.mock.callCount(), hasURLPosition(strip)], [1, 0, false]);
});

test("a link to another part of the page, whose entry has the same place, does not move a strip", () => {
  open("item=i7");
  const scrolls = ["item=i7#part", "item=i8#part"].map((query) => {
    globalThis.location = `https://page.example/?${query}`;
    window.dispatchEvent(new Event("popstate"));
    return strip.scrollTo.mock.callCount();
  });
  assert.deepEqual(scrolls, [1, 2]);
});

test("another view is an entry of its own, and a search replaces the one that the reader is typing", () => {
  open("");
  for (const [q, time] of [["b", 0], ["bl", 500], ["blue", 900], ["blues", 5000]]) {
    strip.setAttribute("q", q);
    tell("willreload", time);
  }
  assert.deepEqual(saved.map(([method]) => method), ["push", "replace", "replace", "push"]);
  assert.equal(saved[3][1], "strip=albums&q=blues");
});
