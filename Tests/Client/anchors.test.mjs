import assert from "node:assert/strict";
import test, { afterEach, beforeEach, mock } from "node:test";
import { HorizontalAxis } from "../../Public/js/axes/horizontal.js";
import { anchorOf } from "../../Public/js/position/scroll-adjustment.js";
import { START, anchorsFor, isRelative, resolveAnchor } from "../../Public/js/position/anchors.js";
import { PendingScroll } from "../../Public/js/position/pending-scroll.js";

const drawnAnchors = (...starts) => starts.map((start, k) => ({ item: `i${k}`, index: 50 + k, start }));
const found = (anchors) => Object.assign(new Map(Object.entries(anchors).map(([id, [index, start]]) => [id, { id, index, start }])), { revision: 7 });

test("the anchor is the first item in view that an edit has not moved elsewhere", () => {
  const items = drawnAnchors(5000, 5100, 5200);
  const near = { i1: [50, 5000], i2: [51, 5100] };
  assert.equal(anchorOf(items, found({ i0: [0, 0], ...near }), 1000).item, "i1");
  assert.equal(anchorOf(items, found({ i0: [399, 40_000], ...near }), 1000).item, "i1");
  assert.equal(anchorOf(items, found({ i0: [50, 5000], i1: [51, 5300], i2: [52, 5400] }), 1000).item, "i0", "an item was inserted");
  assert.equal(anchorOf(items, found({ i0: [550, 55_000], i1: [551, 55_100], i2: [552, 55_200] }), 1000).item, "i0", "many before it");
});

test("of two items in view the one that has moved less is the anchor", () => {
  assert.equal(anchorOf(drawnAnchors(5000, 5600), found({ i0: [0, 0], i1: [51, 5600] }), 1000).item, "i1");
  assert.equal(anchorOf(drawnAnchors(5000, 5600), found({ i0: [50, 5000], i1: [399, 40_000] }), 1000).item, "i0");
});

test("an item that is gone is no anchor, and without one there is none", () => {
  assert.equal(anchorOf(drawnAnchors(5000, 5100), found({ i1: [50, 5000] }), 1000).item, "i1");
  assert.equal(anchorOf(drawnAnchors(5000, 5100), new Map(), 1000), undefined);
});

let windows;
let strip;
let told;
beforeEach(() => {
  told = [];
  const axis = { query: {}, scrollPaddingOf: () => 0 };
  strip = { offset: 5050, viewportSize: 1000, clientWidth: 1000, mayRequest: true, inset: null, axis, meta: {}, items: drawnAnchors(5000, 5100).map(({ item, ...more }) => ({ id: item, size: 90, ...more })) };
  strip.emit = (type, detail) => told.push([type, detail]);
  const answer = { offset: 700, count: 400, items: [{ id: "i7", index: 7, start: 720, size: 90 }] };
  windows = { tileSize: 2048, revision: 7, fail: (error) => told.push(["error", error]), fetchWindow: mock.fn(async () => answer), find: mock.fn(async () => found({ i1: [60, 6000] })) };
});
afterEach(() => mock.restoreAll());

const searched = async (...anchors) => {
  const one = resolveAnchor(strip, anchors, windows, () => {});
  await one.start();
  return one;
};

test("an offset needs no search, and the present one is read when it is needed", () => {
  assert.equal(resolveAnchor(strip, [{ offset: 12 }], windows).offset, 12);
  const one = resolveAnchor(strip, [{}], windows);
  strip.offset = 5060;
  assert.equal(one.offset, 5060);
  assert.equal(windows.fetchWindow.mock.callCount(), 0);
});

test("items in view need one question, and follow the reader who scrolls until it is answered", async () => {
  const one = await searched(...drawnAnchors(5000, 5100), {});
  strip.offset += 30;
  assert.equal(one.offset, 5080 + 900);
  assert.deepEqual(windows.find.mock.calls[0].arguments[0], ["i0", "i1"]);
  assert.deepEqual([windows.fetchWindow.mock.callCount(), one.isStale], [0, false]);
  strip.offset = 9000;
  assert.equal(one.isStale, true);
  [strip.offset, windows.revision] = [5080, 8];
  assert.equal(one.isStale, true, "the answer was of another revision");
});

test("a strip that has just become longer asks for no more than its windows can have", async () => {
  Object.assign(windows, { tileSize: 768 });
  await searched({ item: "i7", at: 20 }, {});
  const { size, overscan } = windows.fetchWindow.mock.calls[0].arguments[0];
  assert.ok(size + 2 * overscan <= 768, `${size}`);
});

test("without any of the items, the next place in the list counts", async () => {
  windows.find = async () => new Map();
  assert.equal((await searched(...drawnAnchors(5000), {})).offset, 5050);
  strip.inset = 20;
  assert.equal((await searched(...drawnAnchors(5000), START)).offset, -20);
});

test("the server resolves an item, and an unknown one stands for the offset", async () => {
  assert.equal((await searched(...anchorsFor({ item: "i7", at: 20 }))).offset, 700);
  assert.equal((await searched(...anchorsFor({ item: "gone", offset: 33 }))).offset, 33);
  assert.deepEqual(told.map(([type, { status, parameter }]) => [type, status, parameter]), [["error", 404, "item"]]);
});

test("the end of an item stays if the item would be out of view", async () => {
  assert.equal((await searched({ item: "i7", at: -50, end: 40 }, {})).offset, 770);
  assert.equal((await searched({ item: "i7", at: -200, end: 40 }, {})).offset, 720 - (40 - 90));
  const one = await searched({ item: "i7", at: -50, end: 40, from: 5050 }, {});
  strip.offset += 30; // the reader has scrolled
  assert.equal(one.offset, 800);
});

test("a search waits until the strip may request, and an ended one tells nothing", async () => {
  strip.mayRequest = false;
  const one = await searched({ index: 7 });
  assert.equal(one.offset, undefined);
  assert.equal(windows.fetchWindow.mock.callCount(), 0);
  strip.mayRequest = true;
  windows.fetchWindow = () => Promise.reject(new Error("late"));
  const started = one.start();
  one.end();
  await started;
  assert.deepEqual(told, []);
});

test("an ended search asks nothing more", async () => {
  let answer;
  windows.find = () => new Promise((resolve) => (answer = resolve));
  const one = resolveAnchor(strip, [...drawnAnchors(5000), { item: "i7" }], windows, () => {});
  const started = one.start();
  one.end();
  answer(new Map());
  await started;
  assert.equal(windows.fetchWindow.mock.callCount(), 0);
});

test("a failure is told, and the offset stays unknown", async () => {
  windows.find = () => Promise.reject(new Error("away"));
  assert.equal((await searched(...drawnAnchors(5000), {})).offset, undefined);
  assert.deepEqual(told.map(([type, { message }]) => [type, message]), [["error", "away"]]);
});

test("a strip that is hidden keeps its first item in view, and its offset", () => {
  assert.deepEqual(new HorizontalAxis(strip).anchorsInView(5050), [{ item: "i0", at: -50, end: 40 }, { offset: 5050 }]);
  assert.deepEqual(new HorizontalAxis({ ...strip, items: [] }).anchorsInView(5050), [{ offset: 5050 }]);
});

test("places count from what is in view if they are items in view, or no place at all", () => {
  for (const anchors of [undefined, [{}], [...drawnAnchors(5000), START], [{ item: "i7", at: 3, from: 0 }]]) assert.equal(isRelative(anchors), true);
  for (const anchors of [[START], [{ offset: 0 }], [{ item: "i7", at: 3 }], [{ index: 0 }]]) assert.equal(isRelative(anchors), false);
});

test("a place is sought once the strip may request it, and once", async () => {
  const pendingScroll = new PendingScroll();
  strip.scrollTo = mock.fn();
  strip.mayRequest = false;
  await pendingScroll.start(strip, { item: "i7", behavior: "smooth" }, windows);
  assert.deepEqual(pendingScroll.place, { item: "i7", behavior: "smooth" });
  strip.mayRequest = true;
  pendingScroll.resume();
  pendingScroll.resume();
  await new Promise(setImmediate);
  assert.deepEqual(strip.scrollTo.mock.calls.map(({ arguments: [place] }) => place), [{ offset: 700, behavior: "smooth" }]);
  assert.equal(windows.fetchWindow.mock.callCount(), 1);
  assert.equal(pendingScroll.place, null);
});

test("a seek that has ended scrolls nowhere, and is not begun again", async () => {
  const pendingScroll = new PendingScroll();
  strip.scrollTo = mock.fn();
  const sought = pendingScroll.start(strip, { item: "i7" }, windows);
  pendingScroll.end();
  await sought;
  pendingScroll.resume();
  await new Promise(setImmediate);
  assert.equal(strip.scrollTo.mock.callCount(), 0);
  assert.equal(windows.fetchWindow.mock.callCount(), 1);
});
