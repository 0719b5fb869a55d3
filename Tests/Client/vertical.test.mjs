import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { beforeEach } from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

const document = createPage({ CSSStyleSheet: class { replaceSync() {} }, ShadowRoot: class {}, fetch: async () => ({ ok: true, text: async () => "" }) });
const { ScrollRange } = await import("../../Public/js/axes/scroll-range.js");
const { HorizontalAxis } = await import("../../Public/js/axes/horizontal.js");
const { setAxis } = await import("../../Public/js/axes/vertical.js");

let strip;
let hooks;
beforeEach(createStrip);

function createStrip() {
  hooks = {};
  strip = Object.assign(new FakeElement("carousel-strip"), {
    ...{ viewport: new FakeElement(), cardList: new FakeElement("ul"), shadowRoot: { adoptedStyleSheets: [] }, axis: { isVertical: false }, items: [], meta: { extent: 5000 }, heading: null, direction: 1, offset: 0, viewportSize: 500 },
    clamp: (px) => Math.max(0, Math.min(4500, px)),
  });
  strip.setAttribute("layout", "rows");
  document.body.replaceChildren(strip);
  strip.viewport.prepend = () => {};
  strip.option = () => null;
  setAxis(strip, new ScrollRange());
  strip.axis.viewportSize = 500;
  strip.axis.listen((types, listener) => (hooks[types] = listener), () => {});
}

const row = (first, start, widths, group = null) => widths.map((width, k) => ({ id: `i${first + k}`, index: first + k, start, size: 100, x: widths.slice(0, k).reduce((sum, one) => sum + one, 0), width, group }));
const press = (...keys) => (from) => keys.map((key) => (from = strip.axis.nextItem({ key }, from)?.index));

test("both axes have all members that axis.js describes", () => {
  const text = readFileSync(new URL("../../Public/js/axes/axis.js", import.meta.url), "utf8");
  const members = [...text.matchAll(/@property \{.*\} (\w+) - /g)].map(([, name]) => name);
  assert.ok(members.length > 15);
  for (const axis of [strip.axis, new HorizontalAxis(strip)]) assert.deepEqual(members.filter((name) => !(name in axis)), []);
});

test("a vertical arrow leads to the item of the next row that is nearest to where the way began", () => {
  strip.loadedItems = [...row(0, 0, [100, 100, 100, 100]), ...row(4, 110, [400]), ...row(5, 220, [300, 100])];
  for (const [from, keys, expected] of [
    [0, ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"], [4, 5, 4, 0]],
    [3, ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"], [4, 6, 4, 3]],
    [2, ["ArrowUp"], [2]], // the first row
    [6, ["ArrowDown"], [6]], // the last one
    [1, ["ArrowRight"], [undefined]],
    [9, ["ArrowDown"], [undefined]], // it has vanished
  ]) assert.deepEqual(press(...keys)(from), expected, `${from} ${keys}`);
  strip.loadedItems = [];
  assert.deepEqual(press("ArrowDown")(0), [undefined]);
});

/** Draws `items` at an offset. */
function draw(offset, items = strip.items) {
  Object.assign(strip, { offset, items });
  hooks.beforeLayout();
}

test("the place in view is that of the first visible item, and at the front the offset alone", () => {
  const rows = [...row(0, 0, [100, 100]), ...row(2, 110, [100, 100])];
  for (const [offset, items, expected] of [
    [0, rows, [{ offset: 0 }]],
    [50, rows, [{ item: "i0", at: -50, end: 50 }, { offset: 50 }]],
    [99.5, rows, [{ item: "i2", at: 10.5, end: 110.5 }, { offset: 99.5 }]], // less than a px is none
    [300, rows, [{ offset: 300 }]], // all are above
    [300, [], [{ offset: 300 }]],
  ]) {
    createStrip();
    draw(offset, items);
    assert.deepEqual(strip.axis.anchorsInView(), expected, `at ${offset}`);
  }
});

test("the item that keeps its place is the same one until the reader scrolls", () => {
  draw(50, row(0, 0, [100]).concat(row(1, 110, [100])));
  const [anchor] = strip.axis.anchorsInView();
  draw(450, [...row(0, 400, [100]), ...row(1, 510, [100])]); // other sizes: the strip stands where they have it
  assert.deepEqual(strip.axis.anchorsInView()[0], anchor);
  draw(455);
  assert.deepEqual(strip.axis.anchorsInView()[0], { item: "i0", at: -55, end: 45 });
  draw(455, []); // it has vanished
  draw(200, row(4, 200, [100]));
  assert.deepEqual(strip.axis.anchorsInView()[0], { item: "i4", at: 0, end: 100 });
});

test("other sizes are requested at the place of `scrollTo` until the strip rests there, then at the item in view, and other items where they begin", () => {
  const requested = [];
  Object.assign(strip, { loadedItems: [{}], pendingScroll: { end() {} }, scrollTarget: 50, reload: (...rest) => requested.push(rest) });
  draw(50, row(0, 0, [100]));
  for (const change of [() => hooks.scrollTo({ index: 7 }), () => draw(50), () => (strip.isStale = true)]) {
    change();
    strip.axis.relayout();
  }
  const inView = { item: "i0", at: -50, end: 50, from: 50 };
  assert.deepEqual(requested, [[null, [{ index: 7 }, inView, {}]], [null, [inView, {}]], [null]]);
});

test("a heading covers the items of its group, and nothing those without a title", () => {
  strip.heading = 40;
  strip.fetchJSON = async () => ({ groups: [] });
  for (const [group, padding] of [[{ title: "A" }, 40], [{ title: null }, 0], [null, 0]]) assert.equal(strip.axis.scrollPaddingOf(group), padding);
  strip.heading = null;
  assert.equal(strip.axis.scrollPaddingOf({ title: "A" }), 0);
});

test("a card is placed from a block before it, and far from the viewport out of sight", () => {
  for (const [start, direction, block, y] of [[0, 1, 0, 0], [2 ** 17 + 5, 1, 2 ** 17, 5], [3e6, -1, 22 * 2 ** 17, 3e6 - 22 * 2 ** 17], [9e6, 1, -(2 ** 17), 0]]) {
    const { style } = new FakeElement("li");
    strip.axis.place({ style }, { x: 7, width: 120, size: 90, group: null }, start, direction);
    assert.deepEqual([style.insetBlockStart, style.transform, style.width, style.height], [`${block}px`, `translate(${7 * direction}px,${y}px)`, "120px", "90px"]);
  }
});
