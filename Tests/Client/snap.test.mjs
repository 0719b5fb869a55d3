import assert from "node:assert/strict";
import test from "node:test";
import { callHook, startPlugin } from "../../Public/js/base/plugin.js";
import { currentItem } from "../../Public/js/motion/navigation.js";
import { snap } from "../../Public/js/motion/snap.js";
import { alignedOffset } from "../../Public/js/windows/geometry.js";

const VIEWPORT = 250;

/** A strip of items of 100 px that snaps, and what it does: offsets it scrolls to, and selections. */
function stripOf(count, more = {}) {
  const done = [];
  const strip = Object.assign(new EventTarget(), {
    ...{ localName: "carousel-strip", currentCSSZoom: 1, offset: 0, viewportSize: VIEWPORT, alignment: "start", snap: "start", selected: null, axis: {}, loop: false, inset: null, done },
    hooks: Object.fromEntries(["scrollTo", "beforeSettle", "snap", "beforeLayout"].map((name) => [name, new Set()])),
    meta: null,
    items: Array.from({ length: count }, (_, index) => ({ id: `i${index}`, index, start: index * 100, size: 100, fields: { title: "A" } })),
    maxOffset: Math.max(0, count * 100 - VIEWPORT),
    clamp: (px) => Math.min(strip.maxOffset, Math.max(0, px)),
    offsetOf: (item) => strip.clamp(alignedOffset(item, strip.alignment, VIEWPORT, strip.offset)),
    scrollTo({ offset, behavior }) {
      done.push([offset, behavior]);
      strip.offset = offset;
    },
    select: (index, origin) => done.push([index, origin]),
    querySelector: () => null,
    ...more,
  });
  Object.defineProperty(strip, "current", { get: () => currentItem(strip) });
  startPlugin(snap, strip);
  strip.meta = { strip: "s", count };
  /** Comes to rest: it is aligned, and then it settles. */
  strip.rest = (offset = strip.offset) => {
    strip.offset = offset;
    if (!callHook(strip, "snap")) callHook(strip, "beforeSettle");
    return done.splice(0);
  };
  return strip;
}

test("at rest, the nearest item is aligned", () => {
  for (const [count, offset, more, expected] of [
    [0, 0, {}, []],
    [1, 0, {}, []],
    [2, 0, { alignment: "center" }, []], // shorter than the viewport
    [9, 130, {}, [[100, "smooth"]]],
    [9, 170, {}, [[200, "smooth"]]],
    [9, 130, { alignment: "center" }, [[125, "smooth"]]],
    [9, 130, { alignment: "end" }, [[150, "smooth"]]],
    [9, 200, {}, []],
    [9, 650, {}, []], // the end
    [9, 130, { alignment: undefined }, []],
    [9, 149, { snap: "start near" }, []],
    [9, 140, { snap: "start near" }, [[100, "smooth"]]],
  ]) {
    const strip = stripOf(count, more);
    strip.rest(0);
    assert.deepEqual(strip.rest(offset), expected, `${count} items at ${offset}, ${JSON.stringify(more)}`);
  }
});

test("a strip starts with its first item, and does not move to it", () => {
  const strip = stripOf(9, { inset: "200" });
  strip.clamp = (px) => Math.min(strip.maxOffset, Math.max(-200, px));
  assert.deepEqual(strip.rest(-200), [[0, "instant"]]);
});

test("where two items are aligned as well, at an end, the one that was asked for is current", () => {
  const strip = stripOf(9, { selection: "current" });
  strip.rest(0);
  callHook(strip, "scrollTo", { index: 8 });
  assert.deepEqual(strip.rest(650), [[8, "slide"]]);
  callHook(strip, "scrollTo", { item: "i7" });
  assert.deepEqual(strip.rest(650), [[7, "slide"]]);
});

test("the first selection is no slide, and an item is selected once", () => {
  const strip = stripOf(9, { selection: "current" });
  assert.deepEqual(strip.rest(0), [[0, "code"]]);
  strip.selected = { id: "i0" };
  assert.deepEqual(strip.rest(0), []);
  assert.deepEqual(strip.rest(300), [[3, "slide"]]);
});

test("an aligned item stays aligned when its place or the viewport changes, until the reader moves the strip", () => {
  const move = (strip, by) => (strip.items = strip.items.map((item) => ({ ...item, start: item.start + by })));
  const strip = stripOf(9);
  strip.rest(300);
  callHook(strip, "beforeLayout");
  Object.assign(strip, { offset: 250, viewportSize: 300 }); // the browser scrolls a strip that is wider now
  callHook(strip, "beforeLayout");
  assert.deepEqual(strip.done.splice(0), [[300, undefined]]);
  move(strip, 40);
  callHook(strip, "beforeLayout");
  assert.deepEqual([strip.offset, strip.done.splice(0)], [340, [[340, undefined]]]);
  strip.offset = 370;
  move(strip, 10);
  callHook(strip, "beforeLayout");
  assert.deepEqual([strip.offset, strip.done], [370, []]);
});

test("an aligned item that vanishes, and another strip, move nothing", () => {
  for (const [name, count] of [["s", 8], ["t", 9], ["s", 0]]) {
    const strip = stripOf(9);
    strip.rest(300);
    strip.dispatchEvent(Object.assign(new Event("willreload"), { detail: { strip: name } }));
    strip.items = strip.items.filter(({ id }) => count && id !== "i3");
    strip.meta = { strip: name, count };
    assert.ok(strip.dispatchEvent(new Event("reload", { cancelable: true })));
    callHook(strip, "beforeLayout");
    assert.deepEqual(strip.done, [], name);
  }
});

test("in a narrow loop, the nearest copy of the aligned item stays aligned", () => {
  const strip = stripOf(9);
  strip.rest(300);
  strip.items = [...strip.items, { ...strip.items[3], index: 12, start: 1210 }];
  callHook(strip, "beforeLayout");
  assert.deepEqual(strip.done, []);
});
