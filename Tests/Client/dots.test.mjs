import assert from "node:assert/strict";
import test from "node:test";

class Observer {
  observe() {}
}
const node = (name) => ({ name, append() {}, replaceChildren(...children) { this.children = children; } });
const globals = { document: { createElement: node }, window: {}, customElements: { get() {} }, MutationObserver: Observer };
Object.assign(globalThis, globals);
const { dots } = await import("../../Public/js/controls/dots.js");

test("a dot of a later lap leads to its page, also after an edit that adds none", () => {
  const places = [];
  const strip = { viewportSize: 500, offset: 0, current: { lap: 10 }, axis: { minOffset: 0 }, meta: { count: 10, extent: 1000, wrap: true }, scrollTo: ({ offset }) => places.push(offset) };
  let show;
  const line = dots(strip, (type, listener) => type === "afterRender" && (show = listener));
  for (const extent of [1000, 990]) {
    strip.meta = { ...strip.meta, extent };
    const { children } = line;
    show();
    if (children) assert.equal(line.children, children, "no dot is created again");
    line.children[1].onclick();
  }
  assert.deepEqual(places, [10_500, 10_395]);
});
