import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

const document = createPage();
const { CardPool } = await import("../../Public/js/cards/card-pool.js");
const { CardState } = await import("../../Public/js/cards/card-state.js");

const item = (id, index, slot, more) => ({ id, index, slot: `card-${slot}`, kind: "card", start: index * 100, size: 100, group: null, fields: { title: id }, ...more });
const items = (ids, first = 0, size = 3) => [...ids].map((id, k) => item(id, first + k, (first + k) % size));

class Strip extends FakeElement {
  static card = { content: Object.assign(new FakeElement(), { ownerDocument: document, cloneNode: () => new FakeElement("p") }), innerHTML: "", dataset: {} };
  told = [];
  direction = 1;
  offset = 0;
  viewportSize = 300;
  meta = { pools: { card: 3 }, count: 9 };
  axis = { place: ({ style }, _, start) => (style.transform = `translateX(${start}px)`) };
  cardList = new FakeElement("ul");
  querySelector = () => null;

  emit(type, { item: { id } }) {
    this.told.push(`${type} ${id}`);
  }
}

let strip;
let pool;
beforeEach(() => {
  document.activeElement = null;
  strip = new Strip();
  document.body.replaceChildren(strip);
  strip.append(strip.cardList);
  strip.cardList.style.width = "900px";
  pool = new CardPool(strip, () => {});
});

const draw = (all, generation = 1) => pool.draw(all, 0, generation);
const nodes = () => strip.cardList.children;
const shown = () => Object.fromEntries(nodes().filter(({ hidden }) => !hidden).map(({ dataset: { id, index, slot } }) => [`${id} ${index}`, slot]));
const nodeOf = (id) => nodes().find(({ dataset }) => dataset.id === id);

test("each item has the card of its slot, and other cards are hidden and have no item", () => {
  for (const ids of ["", "a", "ab", "abc", "b", ""]) {
    draw(items(ids));
    assert.deepEqual(shown(), Object.fromEntries([...ids].map((id, k) => [`${id} ${k}`, `card-${k}`])));
    assert.equal(nodes().length, 4, "those of the pool, and a spare one");
    assert.ok(nodes().every(({ hidden, inert, dataset }) => hidden === !dataset.id && hidden === inert && hidden === !("index" in dataset || "slot" in dataset)));
    assert.equal(pool.checkIntact(), true);
  }
});

test("a card tells which item it shows, and is not filled again while it shows it", () => {
  draw(items("abc"));
  const b = nodeOf("b");
  strip.told = [];
  draw(items("bcd", 1));
  assert.deepEqual([strip.told, nodeOf("b")], [["enddisplay a", "willdisplay d"], b]);
  strip.told = [];
  draw(items("bc", 1));
  draw([item("b", 1, 1, { fields: { title: "B" } }), item("c", 2, 2)]);
  assert.deepEqual(strip.told, ["enddisplay d", "enddisplay b", "willdisplay b"]);
});

test("another place in the group is told though the fields are the same", () => {
  draw([item("a", 0, 0, { group: { title: "A", index: 0 } })]);
  draw([item("a", 0, 0, { group: { title: "A", index: 7 } })]);
  assert.deepEqual([strip.told, nodeOf("a").dataset.groupTitle, nodeOf("a").dataset.groupIndex], [["willdisplay a", "enddisplay a", "willdisplay a"], "A", 7]);
  draw(items("a"));
  assert.equal("groupTitle" in nodeOf("a").dataset, false);
});

test("an item without fields is told once it has them", () => {
  draw([item("a", 0, 0, { fields: undefined })]);
  assert.deepEqual(strip.told, []);
  draw(items("a"));
  assert.deepEqual(strip.told, ["willdisplay a"]);
});

test("in another generation, a card keeps its item and takes its slot", () => {
  draw(items("abc"));
  const former = nodes().map(({ dataset }) => dataset.id);
  strip.meta.pools.card = 5;
  draw(items("abc", 1, 5), 2);
  assert.deepEqual([nodes().slice(0, 4).map(({ dataset }) => dataset.id), nodes().length], [former, 6]);
  assert.deepEqual(shown(), { "a 1": "card-1", "b 2": "card-2", "c 3": "card-3" });
  assert.equal(strip.told.length, 3);
});

test("the card with the focus keeps its item: in another slot, out of view, and not if another item stands in its place", () => {
  draw(items("abc"));
  const b = nodeOf("b");
  document.activeElement = b;
  strip.offset = 300;
  draw(items("def", 3));
  assert.deepEqual([b.dataset.id, b.hidden, Object.keys(shown()).length], ["b", false, 4]);
  document.activeElement = null;
  draw(items("def", 3));
  assert.deepEqual([Object.keys(shown()).sort(), nodes().length], [["d 3", "e 4", "f 5"], 4]);
  const e = nodeOf("e");
  document.activeElement = e;
  draw([item("d", 3, 0), item("x", 4, 1)]); // e is gone
  assert.notEqual(e.dataset.id, "e");
});

test("a loop can show an item twice, and the card with the focus is one of them", () => {
  const twice = [item("a", 0, 0), item("b", 1, 1), item("a", 2, 2)];
  draw(twice);
  const [, , last] = ["0", "1", "2"].map((index) => nodes().find(({ dataset }) => `${dataset.index}` === index));
  document.activeElement = last;
  draw(twice);
  assert.deepEqual([shown(), last.dataset.index], [{ "a 0": "card-0", "b 1": "card-1", "a 2": "card-2" }, 2]);
});

test("what the page does to the cards is undone", () => {
  for (const change of [(list) => list.replaceChildren(), (list) => list.children[0].remove(), (list) => list.append(new FakeElement("li")), (list) => delete list.children[0].dataset.id, (list) => (list.children[0].hidden = true)]) {
    draw(items("abc"));
    change(strip.cardList);
    assert.equal(pool.checkIntact(), false, `${change}`);
    draw(items("abc"));
    assert.deepEqual([shown(), nodes().length, pool.checkIntact()], [{ "a 0": "card-0", "b 1": "card-1", "c 2": "card-2" }, 4, true], `${change}`);
  }
});

test("the server's cards are taken over, with the sizes that they have in the page, and those in excess go", () => {
  globalThis.getComputedStyle = () => ({ width: "120px" });
  const node = (k, more) => Object.assign(new FakeElement("li"), { dataset: { id: `i${k}`, index: `${k}`, slot: `card-${k}`, kind: "card", start: `${k * 100}`, size: "100", ...more } });
  const served = [0, 1, 2, 3, 4].map((k) => node(k, k === 1 ? { groupTitle: "A", groupIndex: "0" } : {}));
  strip.cardList.append(...served);
  strip.cardList.querySelectorAll = () => served;
  const taken = pool.hydrate({ height: 100, items: [] }, 120);
  assert.deepEqual(taken.slice(0, 3).map(({ index, start, size, group }) => [index, start, size, group]), [[0, 0, 120, null], [1, 120, 120, { title: "A", index: 0 }], [2, 240, 120, null]]);
  draw([item("i0", 0, 0), item("i1", 1, 1)]);
  assert.deepEqual([nodeOf("i0"), nodeOf("i1"), nodes().length], [served[0], served[1], 4]);
});

test("a card gets back what a page has changed, but not what the element sets or a field fills", () => {
  const [card, title, heart] = ["li", "p", "x-heart"].map((name) => new FakeElement(name));
  card.append(title, heart);
  title.setAttribute("class", "title");
  const state = new CardState(card, [{ node: title, name: "title" }]);
  for (const node of [card, title, heart]) for (const name of ["class", "title", "aria-label"]) node.setAttribute(name, "new");
  card.replaceChildren(new FakeElement("b"), heart);
  state.restore();
  assert.deepEqual([card.childNodes, title.getAttribute("class"), ...[card, title, heart].map((node) => node.getAttributeNames().join())], [[title, heart], "title", "aria-label", "class,title", "class,title,aria-label"]);
});
