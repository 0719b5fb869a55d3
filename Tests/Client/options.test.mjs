import assert from "node:assert/strict";
import test from "node:test";
import { ATTRIBUTES } from "../../Public/js/element/attributes.js";
import { customProperties } from "../../Public/js/element/custom-properties.js";
import { needsOptional } from "../../Public/js/element/optional-list.js";
import { OPTIONS, addProperties } from "../../Public/js/element/options.js";

/** A strip with attributes, and with custom properties in their place. */
class Strip {
  attributes = {};
  overrides = {};
  option = (name) => (name in this.overrides ? this.overrides[name] : (this.attributes[name] ?? null));
  setAttribute = (name, value) => (this.attributes[name] = `${value}`);
  removeAttribute = (name) => delete this.attributes[name];
}
addProperties(Strip.prototype);

test("each attribute has a property of its type, which is null or false without it", () => {
  const strip = new Strip();
  for (const [k, [name, { type = String }]] of Object.entries(ATTRIBUTES).entries()) {
    const value = { [String]: "x", [Number]: 12, [Boolean]: true }[type];
    strip[name] = value;
    assert.equal(strip[name], value, name);
    assert.equal(strip.attributes[OPTIONS[k]], type === Boolean ? "" : `${value}`, name);
    strip[name] = type === Boolean ? false : null;
    assert.equal(strip[name], type === Boolean ? false : null, name);
    assert.deepEqual(strip.attributes, {}, name);
  }
});

test("a property returns what is in force, and sets the attribute", () => {
  const strip = new Strip();
  strip.height = 200;
  Object.assign(strip.overrides, { height: "240", loop: "", snap: null });
  strip.snap = "center";
  assert.deepEqual([strip.height, strip.loop, strip.snap], [240, true, null]);
  strip.height = 180;
  assert.deepEqual([strip.height, strip.attributes.height], [240, "180"]);
  delete strip.overrides.height;
  assert.equal(strip.height, 180);
});

test("the line of a list is a number or 100%", () => {
  const strip = new Strip();
  strip.line = "100%";
  assert.equal(strip.line, "100%");
  strip.attributes.line = "50%";
  assert.equal(strip.line, null);
  strip.line = 72;
  assert.equal(strip.line, 72);
});

test("a number that is none counts as absent", () => {
  const strip = new Strip();
  for (const text of ["tall", "", " ", "1e999"]) {
    strip.attributes.height = text;
    assert.equal(strip.height, null, text);
  }
});

test("a strip waits for optional plugins if a selector or a custom property names one", (context) => {
  let set = {};
  globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => set[name] ?? "" });
  context.after(() => delete globalThis.getComputedStyle);
  const strip = { matches: () => false };
  assert.equal(!!needsOptional({ matches: (selectors) => `${selectors}`.includes("[snap]") }), true);
  assert.equal(!!needsOptional(strip), false);
  for (const name of ["--per-view", "--strip-height", "--strip-controls"]) {
    set = { [name]: "2" };
    assert.equal(!!needsOptional(strip), true, name);
  }
  set = { "--strip-q": "no option of a container" };
  assert.equal(!!needsOptional(strip), false);
});

test("with --per-view, another strip gets a height of its own", (context) => {
  globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => (name === "--per-view" ? "2" : "") });
  context.after(() => delete globalThis.getComputedStyle);
  const shape = (name, size) => ({ meta: { strip: name, height: 100 }, items: [{ start: 0, size }, { start: size + 8, size }] });
  const strip = Object.assign(new Strip(), { clientWidth: 408, viewportSize: 408, attributeChangedCallback() {} }, shape("a", 100));
  let draw;
  customProperties(strip, (_, listener) => (draw = listener));
  assert.equal(strip.overrides.height, "200");
  Object.assign(strip, shape("b", 50));
  draw();
  assert.equal(strip.overrides.height, "400");
});
