import assert from "node:assert/strict";
import test from "node:test";
import { currentItem, isAtEnd, pageOffset } from "../../Public/js/motion/navigation.js";
import { alignedOffset } from "../../Public/js/windows/geometry.js";

const COUNT = 50;
const VIEWPORT = 450;

/** A strip of 50 items of 100 px, with `options`, that is scrolled to `offset`. */
function stripAt(offset, options = {}) {
  const maxOffset = COUNT * 100 - VIEWPORT;
  const items = Array.from({ length: COUNT }, (_, index) => ({ id: `i${index}`, index, start: index * 100, size: 100, fields: { title: "A" } }));
  const strip = {
    ...{ offset, scrollTarget: offset, maxOffset, items, loadedItems: items, viewportSize: VIEWPORT, selected: null, axis: { scrollPaddingOf: () => 0 } },
    ...{ meta: { wrap: false, count: COUNT }, clamp: (px) => Math.min(maxOffset, Math.max(0, px)), querySelector: () => null },
    offsetOf: (item, align = strip.alignment) => strip.clamp(alignedOffset(item, align, VIEWPORT, strip.offset)),
    ...options,
  };
  strip.current ??= currentItem(strip);
  return strip;
}

const currentAt = ([offset, more]) => stripAt(offset, more).current.id;
const pageFrom = ([offset, direction, more]) => pageOffset(stripAt(offset, more), direction);

test("the current item is the one nearest to its aligned place", () => {
  assert.deepEqual([[1040], [1060], [1060, { alignment: "center" }]].map(currentAt), ["i10", "i11", "i12"]);
});

test("at an end, the current item is the selected one, or else the one at the end", () => {
  const end = COUNT * 100 - VIEWPORT;
  const places = [[end], [0, { alignment: "center" }], [end, { selected: { id: "i47" } }], [end, { selected: { id: "i3" } }]];
  assert.deepEqual(places.map(currentAt), ["i49", "i0", "i47", "i49"]);
});

test("an item that cannot be selected is not current where the current item is selected", () => {
  const items = stripAt(0).items.map((item) => (item.index === 10 ? { ...item, fields: {} } : item));
  assert.deepEqual([[1000, { items, selection: "current" }], [1000, { items }]].map(currentAt), ["i9", "i10"]);
});

test("a page is a viewport, within the strip", () => {
  assert.deepEqual([[1000, 1], [1000, -1], [100, -1], [4500, 1]].map(pageFrom), [1450, 550, 0, 4550]);
});

test("quick steps add up: they count from where the strip is scrolling to", () => {
  assert.deepEqual([[1000, 1, { scrollTarget: 1450 }], [1000, 1, { scrollTarget: 1200, step: "item" }]].map(pageFrom), [1900, 1300]);
});

test("a step by an item skips the current one, unless it is not aligned yet", () => {
  const steps = [[1000, 1], [1000, -1], [1020, 1], [980, -1]].map((one) => [...one, { step: "item" }]);
  assert.deepEqual(steps.map(pageFrom), [1100, 900, 1100, 900]);
});

test("a strip cannot step beyond its ends, and one that snaps not beyond its first and last item", () => {
  assert.deepEqual([isAtEnd(stripAt(0), -1), isAtEnd(stripAt(0), 1)], [true, false]);
  assert.equal(isAtEnd(stripAt(COUNT * 100 - VIEWPORT), 1), true);
  const first = stripAt(30, { alignment: "center" });
  assert.equal(isAtEnd({ ...first, current: first.items[0] }, -1), true);
  assert.equal(isAtEnd({ ...first, current: first.items[0], meta: { wrap: true, count: COUNT } }, -1), false);
});
