import assert from "node:assert/strict";
import test from "node:test";
import { keyboard } from "../../Public/js/access/keyboard.js";

globalThis.document = {};

/** A strip that draws items with these ids. Returns functions that draw others, move the focus, press a key, and name the item in the tab order. */
function stripOf(drawn, more) {
  const root = { activeElement: null };
  const strip = { getRootNode: () => root, nodeOf() {}, cardList: { children: [] }, offset: 0, viewportSize: 1000, meta: {}, axis: { directionOf() {}, nextItem() {} }, direction: 1, ...more };
  const listeners = {};
  const show = (ids) => {
    strip.items = ids.map((id, index) => ({ id, index, start: index * 100, size: 100 }));
    strip.cardList.children = strip.items.map(({ id, index }) => ({ dataset: { id, index: `${index}` }, contains: (node) => node === id }));
    listeners.afterRender?.(true);
  };
  show(drawn);
  keyboard(strip, (types, listener) => (listeners[types] ??= listener));
  const focus = (id) => {
    root.activeElement = id;
    listeners.focusin();
  };
  const press = (key) => listeners.keydown({ key, target: { matches: () => true, querySelector() {} }, stopPropagation() {} });
  return { show, focus, press, tabStop: () => strip.cardList.children.find(({ tabIndex }) => tabIndex === 0).dataset.id };
}

test("the tab stop stays at its item when others come before it", () => {
  const { show, focus, tabStop } = stripOf(["a", "b", "c"]);
  assert.equal(tabStop(), "a");
  focus("b");
  focus(null);
  show(["n", "a", "b", "c"]);
  assert.equal(tabStop(), "b");
  show(["n", "c"]);
  assert.equal(tabStop(), "n");
});

test("an arrow key leads to the next drawn item, though another view may load that has another one of its index", () => {
  for (const [isStale, place] of [[false, { index: 1, align: "nearest", behavior: "smooth" }], [true, { offset: 100, behavior: "smooth" }]]) {
    const scrolled = [];
    const loadedItems = [{ index: 0 }, { index: 1, start: 100 }];
    const { focus, press } = stripOf(["a", "b"], { isStale, loadedItems, scrollTo: (to) => scrolled.push(to), offsetOf: ({ start }) => start });
    focus("a");
    assert.equal(press("ArrowRight"), false);
    assert.deepEqual(scrolled, [place]);
  }
});

test("Escape removes the selection, Enter selects the focused item, and Home and End lead to the ends", () => {
  const called = [];
  const members = Object.fromEntries(["select", "deselect", "scrollTo"].map((name) => [name, (...rest) => called.push([name, ...rest])]));
  const { focus, press } = stripOf(["a", "b"], { ...members, selected: {}, loadedItems: [], maxOffset: 900, axis: { minOffset: -40, directionOf() {}, nextItem() {} } });
  focus("b");
  for (const key of ["Escape", "Enter", "Home", "End"]) assert.equal(press(key), false);
  assert.deepEqual(called, [["deselect"], ["select", 1, "key"], ...[-40, 900].map((offset) => ["scrollTo", { offset, behavior: "smooth" }])]);
});
