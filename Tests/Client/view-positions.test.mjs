import assert from "node:assert/strict";
import test from "node:test";
import { restoreViewPositions } from "../../Public/js/filters/view-positions.js";

const A = ["", "a", "", ""];
const B = ["", "a AND b", "", ""];
const SORTED = ["", "a", "", "-year"];

/** A strip at 5000 in the view A. `changes` are views, each with the offset that it is drawn at and the one that the reader scrolls to. */
function placesAfter(changes, more = {}) {
  const items = [4900, 5100].map((start) => ({ id: `i${start}`, start, size: 200 }));
  let view = A;
  let asked;
  const option = (name) => view[["list", "where", "q", "sort"].indexOf(name)] || null;
  const strip = Object.assign(new EventTarget(), { items, axis: { scrollPaddingOf: () => 0 }, offset: 5000, viewportSize: 400, drawnView: A, option, refetch: (anchors) => (asked = anchors), ...more });
  restoreViewPositions(strip);
  for (const [next, drawnAt, scrolledTo = drawnAt] of changes) {
    view = next;
    asked = undefined;
    strip.dispatchEvent(new CustomEvent("beforereload", { detail: null, cancelable: true }));
    Object.assign(strip, { drawnView: next, offset: drawnAt });
    strip.dispatchEvent(new CustomEvent("reload"));
    strip.offset = scrolledTo;
  }
  return asked;
}

test("a filter that is set and cleared returns to the former place, unless the reader has scrolled since", () => {
  const former = [{ item: "i4900", at: -100 }, { offset: 5000 }];
  assert.deepEqual(placesAfter([[B, 300], [A, 5000]]), former);
  assert.deepEqual(placesAfter([[B, 300], [["", "c", "", ""], 0], [A, 5000]]), former, "two filters");
  assert.equal(placesAfter([[B, 300, 700], [A, 5000]]), undefined, "the reader has scrolled");
  assert.equal(placesAfter([[SORTED, 0], [A, 5000]]), undefined, "another order");
  assert.equal(placesAfter([[B, 300], [A, 5000]], { selected: { id: "i4900" } }), undefined, "a selected item");
  assert.equal(placesAfter([[B, 300], [A, 5000], [B, 300]]), undefined, "a view that was left for good");
});
