import assert from "node:assert/strict";
import test from "node:test";
import { createPage } from "./dom.mjs";

createPage();
const { dots } = await import("../../Public/js/controls/dots.js");

test("a dot of a later lap leads to its page, also after an edit, and stays when others are added", () => {
  const places = [];
  const strip = { viewportSize: 500, offset: 0, current: { lap: 10 }, axis: { minOffset: 0 }, meta: { count: 10, extent: 1000, wrap: true }, scrollTo: ({ offset }) => places.push(offset) };
  let show;
  const line = dots(strip, (type, listener) => type === "afterRender" && (show = listener));
  for (const extent of [1000, 990, 1500, 1000]) {
    strip.meta = { ...strip.meta, extent };
    const [first] = line.children;
    show();
    assert.equal(line.children[0], first ?? line.children[0]);
    assert.equal(line.children.length, extent / 500 > 2 ? 3 : 2);
    line.children[1].onclick();
  }
  assert.deepEqual(places, [10_500, 10_395, 15_500, 10_500]);
});
