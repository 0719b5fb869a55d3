import assert from "node:assert/strict";
import test from "node:test";
import { keyboard } from "../../Public/js/access/keyboard.js";

globalThis.document = {};

/** A strip that draws items with these ids. Returns functions that draw others, move the focus, and name the item in the tab order. */
function stripOf(drawn) {
  const root = { activeElement: null };
  const strip = { getRootNode: () => root, nodeOf() {}, cardList: { children: [] }, offset: 0, viewportSize: 1000 };
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
  return { show, focus, tabStop: () => strip.cardList.children.find(({ tabIndex }) => tabIndex === 0).dataset.id };
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
