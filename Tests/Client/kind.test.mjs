import assert from "node:assert/strict";
import test from "node:test";
import { kind } from "../../Public/js/cards/kind.js";

test("handlers of a kind hear of their own strip, until they are removed", () => {
  const strip = Object.assign(new EventTarget(), { localName: "carousel-strip", hooks: {}, items: [], meta: { count: 3 } });
  const told = [];
  const handlers = Object.fromEntries(["fill", "display", "enddisplay"].map((name) => [name, (card) => told.push(`${name} ${card}`)]));
  const remove = kind.call(strip, "card", { ...handlers, select: ({ id }) => told.push(`select ${id}`) });
  const dispatch = (type, detail, from = strip) => {
    const event = new CustomEvent(type, { detail });
    event.composedPath = () => [from, strip]; // a strip in a card dispatches it
    strip.dispatchEvent(event);
  };
  const tell = (from) => {
    for (const type of ["willdisplay", "enddisplay"]) dispatch(type, { node: "li", item: { kind: "card" } }, from);
    dispatch("select", { id: "a", kind: "card" }, from);
    dispatch("select", null, from); // of a field in a card
  };
  tell({ localName: "carousel-strip" });
  assert.deepEqual(told, []);
  tell();
  assert.deepEqual(told.splice(0), ["fill li", "display li", "enddisplay li", "select a"]);
  remove();
  tell();
  assert.deepEqual(told, []);
});
