import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { startPlugin } from "../../Public/js/base/plugin.js";
import { canBeCurrent, selection, selectionMembers, tap } from "../../Public/js/selection/selection.js";

const settled = () => new Promise(setImmediate);
const item = (index, more = {}) => ({ id: `i${index}`, index, start: index * 100, size: 100, fields: { title: "A" }, ...more });

class Strip extends EventTarget {
  static card = { dataset: {} }; // its template
}

/** A strip that draws `items` of `count`, with what it tells, as "select i1 code". A listener keeps what is in `kept`. */
function stripOf(items, { count = items.length, wrap = false, kept = [], ...more } = {}) {
  const told = [];
  const strip = Object.defineProperties(new Strip(), Object.getOwnPropertyDescriptors(selectionMembers));
  Object.assign(strip, {
    ...{ localName: "carousel-strip", hooks: { afterLayout: new Set() }, items, axis: { align: "center" }, selection: null, told, requestDraw() {}, scrollTo: mock.fn() },
    meta: { strip: "s", revision: 1, count, wrap, extent: count * 100 },
    cardList: { children: items.map((one) => ({ dataset: { id: one.id, index: `${one.index}` }, toggleAttribute(_, isSet) { this.isSelected = isSet; } })) },
    clampIndex: (index) => (wrap ? index : Math.max(0, Math.min(count - 1, Math.round(index) || 0))),
    querySelector: (selector) => (selector.includes("sign") ? { dataset: { select: "none" } } : null),
    emit: (type, detail) => !!told.push([type, detail.id ?? detail.index, detail.origin].join(" ").trim()) && !(type === "willselect" && kept.includes(detail.index)),
    ...more,
  });
  startPlugin(selection, strip);
  const draw = () => strip.hooks.afterLayout.forEach((listener) => listener());
  const chosen = () => strip.cardList.children.filter(({ isSelected }) => isSelected).map(({ dataset }) => dataset.id);
  return Object.assign(strip, { draw, chosen });
}

test("a selection tells before and after, once for each change", () => {
  const strip = stripOf([item(0), item(1), item(2)], { kept: [2] });
  assert.equal(strip.selected, null);
  strip.deselect();
  assert.deepEqual(strip.told, [], "nothing was selected");
  strip.select(0);
  strip.select(1, "tap");
  strip.select(2, "key");
  assert.deepEqual(strip.told, ["willselect i0 code", "select i0 code", "willselect i1 tap", "deselect i0", "select i1 tap", "willselect i2 key"]);
  strip.draw();
  assert.deepEqual([strip.selected.id, "lap" in strip.selected, strip.chosen()], ["i1", false, ["i1"]]);
  assert.deepEqual(strip.scrollTo.mock.calls[0].arguments, [{ index: 0, align: "center", behavior: "smooth" }]);
  strip.told.length = 0;
  strip.deselect();
  assert.deepEqual([strip.told, strip.selected], [["deselect i1"], null]);
});

test("an index outside the strip is the nearest one", () => {
  for (const [items, index, selected] of [[[item(0)], 7, 0], [[item(0), item(1)], -3, 0], [[item(0), item(1)], 9, 1], [[item(0)], "abc", 0]]) {
    const strip = stripOf(items);
    strip.select(index);
    assert.equal(strip.selected.index, selected);
  }
});

test("an item that is not loaded is selected at once, and told when its card is drawn", () => {
  const strip = stripOf([item(0)], { count: 50 });
  strip.select(30);
  assert.deepEqual([strip.selected.index, strip.told], [30, ["willselect 30 code"]]);
  strip.items = [item(30)];
  strip.draw();
  strip.draw();
  assert.deepEqual([strip.selected.id, strip.told.slice(1)], ["i30", ["select i30 code"]]);
});

test("while other items are on their way, code means one of those, and a reader one that is drawn", () => {
  const strip = stripOf([item(0), item(1)], { isStale: true });
  for (const origin of ["tap", "code"]) strip.select(0, origin);
  strip.draw();
  assert.deepEqual([strip.selected, strip.told.slice(1), strip.scrollTo.mock.callCount()], [null, ["select i0 tap", "willselect 0 code", "deselect i0"], 1]);
  Object.assign(strip, { isStale: false, items: [item(0, { id: "another" })] });
  strip.draw();
  assert.deepEqual([strip.selected.id, strip.told.at(-1)], ["another", "select another code"]);
});

test("readers select what can be selected, and code selects every item", () => {
  const rows = [["a card", {}, {}, true], ["a spacer", { fields: {} }, {}, false], ["a kind", { kind: "sign" }, {}, false], ["a strip", {}, { selection: "none" }, false]];
  for (const [name, kind, more, isSelectable] of rows) {
    for (const origin of ["tap", "key", "slide", "code"]) {
      const strip = stripOf([item(0, kind)], more);
      strip.select(0, origin);
      assert.equal(!!strip.selected, isSelectable || origin === "code", `${name} by ${origin}`);
      strip.selection ??= "current";
      assert.equal(canBeCurrent(strip, strip.items[0]), isSelectable || name === "a strip");
    }
  }
  const early = stripOf([{ ...item(0), fields: undefined }]);
  early.select(0, "tap"); // of the server's page
  early.items = [item(0, { fields: {} })];
  early.draw();
  assert.deepEqual([early.selected, early.told], [null, ["willselect i0 tap"]]);
});

test("in a loop, the selected item has its index in the first lap, and all its copies are marked", () => {
  const strip = stripOf([item(1, { index: 4 }), item(2, { index: 5 }), item(1, { index: 7 })], { count: 3, wrap: true });
  strip.select(7);
  strip.draw();
  assert.deepEqual([strip.selected.index, strip.selected.lap, strip.selected.id, strip.chosen()], [1, 2, "i1", ["i1", "i1"]]);
  strip.meta = { ...strip.meta, count: 2 }; // a smaller loop
  assert.equal(strip.selected.index, 1);
});

test("the selection follows its item to another index, and ends if the item is gone", async (context) => {
  let found = [{ id: "i1", index: 7 }];
  context.mock.method(globalThis, "fetch", async () => ({ ok: found !== null, status: 503, headers: new Headers(), json: async () => ({ items: found }) }));
  for (const [answer, meta, selected, targetsPending] of [[found, {}, 7], [[], {}, undefined], [[], {}, 1, true], [null, {}, 1], [found, { count: 0 }, undefined], [found, { wrap: true, count: 50 }, 57]]) {
    found = answer;
    const strip = stripOf([item(0), meta.wrap ? item(1, { index: 51 }) : item(1)], { count: meta.wrap ? 50 : 2, wrap: meta.wrap });
    strip.select(meta.wrap ? 51 : 1);
    strip.items = [];
    Object.assign(strip.meta, { revision: 2 }, meta);
    strip.dispatchEvent(new Event("reload"));
    if (targetsPending) strip.meta = { ...strip.meta }; // by another view
    await settled();
    await settled();
    assert.equal(strip.selected && strip.selected.index + (strip.selected.lap ?? 0) * 50, selected ?? null, JSON.stringify([answer, meta]));
    assert.equal(strip.told.includes("deselect i1"), selected === undefined);
  }
});

test("a tap selects the card, unless it is for what is in it", () => {
  const control = (...selectors) => ({ matches: (list) => list.split(/,\s*/).some((one) => selectors.includes(one)) });
  const rows = [
    ["a text", [control("p")], {}, true],
    ["a button", [control("b"), control("button")], {}, false],
    ["the link of a built-in card", [control("a[href]", "a.title")], {}, true],
    ["another link", [control("a[href]")], {}, false],
    ["a control of a closed shadow root", [{ constructor: { formAssociated: true }, matches: () => false }], {}, false],
    ["a click that a listener has prevented", [], { defaultPrevented: true }, false],
  ];
  for (const [name, inside, event, selects] of rows) {
    const strip = stripOf([item(0)]);
    tap(strip, [...inside, strip.cardList.children[0], strip.cardList, strip], event);
    assert.equal(!!strip.selected, selects, name);
  }
  const strip = stripOf([item(0)]);
  tap(strip, [strip], {}); // beside the cards
  assert.equal(strip.selected, null);
});
