import assert from "node:assert/strict";
import test from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

class HTMLElement extends FakeElement {
  attachInternals = () => ({ states: (this.states = new Set()) });
  attachShadow = () => (this.shadowRoot = new FakeElement("#shadow-root"));
}
const document = createPage({ HTMLElement, CSSStyleSheet: class { replaceSync() {} }, fetch: async () => ({ ok: true, text: async () => "" }) });
Object.assign(customElements, { define() {}, whenDefined: async () => {} });
const { CarouselFacets } = await import("../../Public/js/filters/facets.js");
await import("../../Public/js/language/fields.js"); // which a facet loads: a file takes any time

const settled = async () => {
  for (let k = 0; k < 20; k += 1) await new Promise(setImmediate);
};

let facets;

/** Shows the facet of the field `f` of a strip with a filter. The server answers `answer`. */
async function show(answer, { where, format, unit, ...attributes } = {}) {
  const strip = Object.assign(new FakeElement(), { asked: [], meta: { strip: "s", revision: 1, count: 9, view: {} } });
  strip.emit = (type, { status }) => strip.asked.push(`${type} ${status}`);
  strip.fetchJSON = async (path, query) => {
    if (path === "strips/s") return { fields: { f: { format, unit } }, filterable: ["f"] };
    strip.asked.push(query);
    if (answer.status) throw answer;
    return { facets: [{ field: "f", distinct: answer.values.length, absent: 0, ...answer }] };
  };
  strip.setAttribute("strip", "s");
  if (where) strip.setAttribute("where", where);
  strip.matches = () => !!where; // "[where],[q]"
  facets?.disconnectedCallback();
  facets = new CarouselFacets();
  for (const [name, value] of Object.entries({ for: "s", field: "f", ...attributes })) facets.setAttribute(name, value);
  document.getElementById = () => strip;
  document.body.replaceChildren(strip, facets);
  facets.attributeChangedCallback();
  facets.connectedCallback();
  await settled();
  return Object.assign(strip, { where: () => strip.getAttribute("where") });
}

const part = (name) => facets.shadowRoot.querySelectorAll(`[part=${name}]`);
const options = () => [...part("chips"), ...part("options")][0].children;
const texts = () => options().map((option) => option.querySelector("[part=value]").textContent);
const counted = (...values) => values.map((value, k) => ({ value: `${value}`, count: 20 - k }));
const many = (count, more) => ({ values: counted(...Array.from({ length: Math.min(10, count) }, (_, k) => k)), distinct: count, ...more });

/** What is shown: the values, a range, or nothing. */
function shown() {
  if (part("facet")[0].hidden) return null;
  if (part("range")[0].hidden) return texts().join(" ");
  return part("limit").map(({ type, placeholder }) => (type === "date" ? type : placeholder)).join(" ");
}

test("few values are in their order, many numbers and dates are a range, and what says nothing is not shown", async () => {
  for (const [name, answer, more, expected] of [
    ["no values", many(0), {}, null],
    ["one", { values: counted("b") }, {}, "b"],
    ["two", { values: counted("b", "a") }, {}, "b a"],
    ["numbers", { values: counted(10, 9), min: "9", max: "10" }, {}, "9 10"],
    ["five numbers", many(5, { min: "0", max: "4" }), {}, "0 1 2 3 4"],
    ["six numbers", many(6, { min: "0", max: "5" }), {}, "0 5"],
    ["six numbers of seven that the page wants", many(6, { min: "0", max: "5" }), { limit: 7 }, "0 1 2 3 4 5"],
    ["many numbers that are words", many(300, { min: "0", max: "299" }), { format: "text" }, "0 1 2 3 4 5 6 7 8 9"],
    ["two prices", { values: counted(10, 9), min: "9", max: "10" }, { format: "currency", unit: "EUR" }, "€9.00 €10.00"],
    ["the value of all items", { values: [{ value: "b", count: 9 }] }, {}, null],
    ["the value of all items that a filter leaves", { values: [{ value: "b", count: 9 }] }, { where: "g = x" }, "b"],
    ["few days", { values: counted("2024-05-01") }, { format: "date" }, "May 1, 2024"],
    ["many days", { ...many(300), values: counted(...Array(10).fill("2024-05-01")) }, { format: "date" }, "date date"],
    ["another value in each item", { values: counted("a", "b").map((one) => ({ ...one, count: 1 })), distinct: 300 }, {}, null],
    ["a value that others leave out", { values: counted("b") }, { where: "f = x" }, "x b"],
    ["a range that leaves few numbers", { values: counted(7), min: "7", max: "7" }, { where: "f >= 7" }, "7"],
  ]) {
    await show(answer, more);
    assert.equal(shown(), expected, name);
    assert.deepEqual([facets.states.has("loaded"), facets.states.has("none")], [true, !answer.values.length], name);
  }
});

test("a press adds a value to the filter, and another one takes it away", async () => {
  for (const display of ["chips", "list"]) {
    const strip = await show({ values: counted("b", "a") }, { where: "x = 1", display });
    const press = async (k) => {
      const option = options()[k];
      (option.onclick ?? option.children[0].onchange)();
      await settled();
      return strip.where();
    };
    assert.ok(part("limit").every(({ min }) => min === undefined));
    assert.equal(await press(1), 'x = 1 AND f = "a"');
    assert.equal(strip.asked.at(-1).where, "x = 1", "the counts leave its own selection out");
    assert.deepEqual(options().map((option) => option.ariaPressed ?? option.children[0].checked), [false, true]);
    assert.equal(await press(0), 'x = 1 AND f IN ["a", "b"]');
    await press(0);
    assert.equal(await press(1), "x = 1");
  }
});

test("a limit of a range is a filter, and one beyond the other takes its place", async () => {
  const strip = await show(many(90, { min: "0", max: "89" }), { where: "x = 1" });
  const enter = (k, value) => {
    const target = Object.assign(part("limit")[k], { value });
    for (const type of ["input", "change"]) part("range")[0].dispatchEvent(Object.defineProperty(new Event(type), "target", { value: target }));
    return strip.where();
  };
  for (const [k, value, where, values] of [
    [0, "7", "x = 1 AND f >= 7", ["7", ""]],
    [1, "16", "x = 1 AND f 7 TO 16", ["7", "16"]],
    [0, "20", "x = 1 AND f >= 20", ["20", ""]],
    [1, "9", "x = 1 AND f <= 9", ["", "9"]],
    [1, "", "x = 1", ["", ""]],
  ]) {
    assert.equal(enter(k, value), where);
    assert.deepEqual(part("limit").map((input) => input.value), values);
  }
  enter(0, "7");
  facets.clear();
  assert.equal(strip.where(), "x = 1");
});

test("more values are asked for step by step, and fewer at once", async () => {
  const answer = many(60);
  const strip = await show(answer);
  const [more] = part("more");
  for (const [limit, distinct, text] of [[10, 60, "More"], [50, 10, "More"], [90, 60, "Less"], [10, 60, "More"]]) {
    assert.deepEqual([strip.asked.at(-1).limit, more.hidden, more.textContent], [limit, false, text]);
    answer.distinct = distinct;
    more.click();
    await settled();
  }
});

test("a failure is asked about again, and a revision that is gone reloads the strip", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  for (const [status, requests, events] of [[503, 2, []], [410, 1, ["error 410"]], [400, 1, []]]) {
    const strip = await show({ status });
    context.mock.timers.tick(5000);
    await settled();
    assert.deepEqual([strip.asked.filter((one) => one.field).length, strip.asked.filter((one) => !one.field)], [requests, events], `${status}`);
  }
});
