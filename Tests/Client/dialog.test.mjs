import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

class Pages extends FakeElement {
  static card = { dataset: {} };
  hooks = {};
  direction = 1;
  loadedItems = [];
  moves = [];
  meta = { count: 9 };
  clampIndex = (index) => Math.max(0, Math.min(this.meta.count - 1, index));
  scrollTo = (place) => this.moves.push(place);
  nodeOf = () => null;
  querySelector = (selector) => (selector.includes("advert") ? { dataset: { select: "none" } } : null);
}
let pages;
const document = createPage({ CSSStyleSheet: class { replaceSync() {} }, fetch: async () => ({ ok: true, text: async () => "" }), location: new URL("https://shop.example/") });
document.createElement = (name) => (name === "carousel-strip" ? (pages = new Pages(name)) : Object.assign(new FakeElement(name), { content: new FakeElement(), showModal() {}, close() {} }));
document.createElementNS = (_, name) => new FakeElement(name);
const { ViewerDialog } = await import("../../Public/js/viewer/dialog.js");

const item = (index, more) => ({ id: `i${index}`, index, kind: "card", fields: { title: `T${index}` }, ...more });

let viewer;
let dialog;
let moved; // the items that are shown
let left; // how often the reader wanted to leave
beforeEach(() => {
  [moved, left] = [[], 0];
  document.body.replaceChildren();
});

/** Opens a dialog at i4. */
function open() {
  viewer?.close();
  const strip = Object.assign(new FakeElement(), { dataset: {}, strip: "s", items: [item(4)], nodeOf: () => null, fetchJSON: async () => ({ fields: {}, filterable: [] }) });
  viewer = new ViewerDialog(strip, "i4", { title: "Pictures" }, { onMove: ({ id }) => moved.push(id), onLeave: () => (left += 1) });
  dialog = document.body.children.at(-1);
}

const tell = (type, detail) => pages.dispatchEvent(Object.assign(new Event(type), { detail }));
const settle = (index, more) => tell("settle", item(index, more));
const press = (key, more) => dialog.dispatchEvent(Object.assign(new Event("keydown", { cancelable: true }), { key, ...more }));
const part = (className) => dialog.children.find((node) => node.className === className);
const targets = () => pages.moves.splice(0).map(({ index }) => index);

test("keys lead to other pictures, and quick ones add up", () => {
  for (const [from, keys, expected] of [
    [4, ["ArrowRight", "ArrowRight", "PageUp"], [5, 6, 5]],
    [0, ["ArrowLeft", "PageUp"], [0, 0]],
    [8, ["ArrowRight", "PageDown"], [8, 8]],
    [4, ["Home", "ArrowRight", "End"], [0, 1, 8]],
    [null, ["ArrowRight", "ArrowRight"], [5, 6]], // before the picture is drawn
    [4, ["x", "Tab"], []],
  ]) {
    open();
    if (from !== null) settle(from);
    for (const key of keys) press(key);
    assert.deepEqual(targets(), expected, `${keys} from ${from}`);
  }
  pages.direction = -1;
  settle(4);
  press("ArrowLeft", { repeat: true });
  press("ArrowRight", { ctrlKey: true }); // of the browser
  assert.deepEqual(pages.moves, [{ index: 5, behavior: "instant" }]);
});

test("what is no picture is skipped, unless it is not loaded", () => {
  open();
  pages.loadedItems = [item(4), item(5, { kind: "advert" }), item(6, { kind: "advert" }), item(7)];
  settle(4);
  part("next").click();
  settle(7);
  part("previous").click();
  pages.loadedItems.pop();
  settle(4);
  part("next").click();
  assert.deepEqual(targets(), [7, 4, 7]);
});

test("a strip that rests on the way is sent on once, unless the reader has moved it", () => {
  open();
  settle(4);
  press("End");
  settle(6);
  settle(6);
  assert.deepEqual(targets(), [8, 8]);
  press("Home");
  part("stage").dispatchEvent(new Event("pointerdown"));
  settle(6);
  assert.deepEqual([targets(), moved.at(-1)], [[0], "i6"]);
});

test("the picture in view has its place, its neighbours and its words", async () => {
  open();
  for (const [count, index, place, disabled] of [[9, 0, "1 of 9", [true, false]], [9, 4, "5 of 9", [false, false]], [9, 8, "9 of 9", [false, true]], [1, 0, "1 of 1", [true, true]]]) {
    pages.meta.count = count;
    settle(index);
    assert.deepEqual([part("place").textContent, [part("previous"), part("next")].map((button) => button.ariaDisabled)], [place, disabled]);
  }
  assert.deepEqual([moved, part("status").textContent.slice(0, 2)], [["i0", "i4", "i8", "i0"], "T0"]);
  assert.equal(pages.ariaLabel, "Pictures");
});

test("the details of a picture have its fields, and a link that is safe", () => {
  open();
  if (part("info").ariaExpanded !== true) part("info").click();
  for (const [fields, texts, link] of [
    [{}, ["i4"], undefined],
    [{ title: "A", year: 1971, image: "/a" }, ["A", "year1971"], undefined],
    [{ title: "A", href: "https://shop.example/p" }, ["A"], "Open"],
    [{ title: "A", href: "https://other.example/p" }, ["A"], "Open at other.example"],
    [{ title: "A", href: "javascript:alert(1)" }, ["A"], undefined],
  ]) {
    settle(4, { fields });
    const [, ...rest] = part("fields").children[0].children; // after the place
    const words = rest.filter(({ localName }) => localName !== "a").map((node) => node.textContent);
    assert.deepEqual([words, rest.find(({ localName }) => localName === "a")?.textContent], [texts, link], JSON.stringify(fields));
  }
  part("info").click();
});

test("a reader leaves by the button and by Escape, and when there is no picture", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] }); // a note stays for some time
  for (const leave of [() => part("close").click(), () => dialog.dispatchEvent(new Event("cancel")), () => ((pages.meta.count = 0), tell("reload")), () => tell("error", { parameter: "item" })]) {
    open();
    leave();
    assert.equal(left, 1, `${leave}`);
    left = 0;
    viewer.close();
    assert.equal(document.body.children.includes(dialog), false);
  }
  open();
  tell("error", { parameter: "strip" });
  tell("reload");
  assert.equal(left, 0);
});
