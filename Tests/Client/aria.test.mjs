import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

const document = createPage({ dispatchEvent() {} });
const { aria } = await import("../../Public/js/access/aria.js");
const { callHook, startPlugin } = await import("../../Public/js/base/plugin.js");

let strip;
beforeEach(() => {
  const viewport = new FakeElement();
  const shell = new FakeElement();
  shell.append(viewport);
  const cards = [0, 1, 2].map(() => new FakeElement("li"));
  for (const card of cards) card.append("text");
  const cardList = new FakeElement("ul");
  cardList.append(...cards);
  const items = cards.map((_, index) => ({ index, id: `i${index}`, fields: { title: `T${index}` } }));
  strip = Object.assign(new FakeElement("carousel-strip"), {
    ...{ hooks: { afterRender: new Set() }, strip: "albums", axis: { isVertical: false }, viewport, cardList, cards, items, meta: { count: 30 }, offset: 0 },
    nodeOf: (index) => cards[index],
  });
  document.body.replaceChildren(strip);
});

const display = (node, item) => strip.dispatchEvent(Object.assign(new Event("willdisplay"), { detail: { node, item }, composedPath: () => [strip] }));

test("the strip is a carousel, and its cards are options with a label and a position", () => {
  startPlugin(aria, strip);
  const { role, ariaRoleDescription, ariaLabel } = strip.viewport.parentNode;
  assert.deepEqual([role, ariaRoleDescription, ariaLabel, strip.cardList.role, strip.cardList.ariaOrientation], ["region", "carousel", "albums", "listbox", "horizontal"]);
  const [card] = strip.cards;
  assert.deepEqual([card.role, card.ariaLabel, card.ariaPosInSet, card.ariaSetSize, card.ariaHidden], ["option", "T0, 1 of 30", 1, 30, null]);
});

test("a card has the label of its item, and the others keep theirs until others are drawn", async () => {
  startPlugin(aria, strip);
  const [one, other] = strip.cards;
  other.ariaLabel = "kept";
  display(one, { index: 32, id: "i2", fields: { title: "New" } });
  assert.deepEqual([one.ariaLabel, one.ariaPosInSet, other.ariaLabel], ["New, 3 of 30", 3, "kept"]);
  strip.dispatchEvent(Object.assign(new Event("reload"), { composedPath: () => [strip] }));
  strip.meta.count = 31; // as the draw has it
  await null;
  assert.equal(other.ariaLabel, "T1, 2 of 31");
});

test("cards with a link, and those of a page's list, are items of a list", () => {
  startPlugin(aria, strip);
  const link = Object.assign(new FakeElement("a"), { matches: () => true });
  display(Object.assign(strip.cards[0], { querySelector: () => link }), strip.items[0]);
  strip.cards[1].setAttribute("data-selected", "");
  callHook(strip, "afterRender");
  assert.deepEqual([strip.cardList.role, link.tabIndex, strip.cards.map(({ role, ariaCurrent }) => [role, ariaCurrent])], ["list", -1, [[null, false], [null, true], [null, false]]]);
});
