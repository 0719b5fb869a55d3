import assert from "node:assert/strict";
import test from "node:test";
import { LocalizedFormatter, formatCards, isHidden, loadFormatter } from "../../Public/js/language/fields.js";
import { isShown } from "../../Public/js/cards/template.js";
import { cases } from "./cases.mjs";

const { fields, labels, values, conditions } = cases("fields");

for (const { field, language, label } of labels) {
  test(`the label of ${field} in ${language} is ${label}, as on the server`, () => assert.equal(new LocalizedFormatter(fields, language).label(field), label));
}

for (const { language, field, value, format, text } of values) {
  test(`${field} ${value} in ${language} as a ${format} is ${text}`, () => {
    assert.equal(new LocalizedFormatter(fields, language).format(value, field, format), text);
  });
}

for (const { condition, fields, isHidden: expected } of conditions) {
  test(`a part with the condition ${condition} is ${expected ? "hidden" : "shown"} for ${JSON.stringify(fields)}`, () => {
    assert.equal(isHidden(condition, (name) => isShown(name, fields)), expected);
  });
}

test("a field has its own format, and a unit makes a number of it", () => {
  const formatter = new LocalizedFormatter(fields, "en");
  assert.deepEqual(["price", "depth", "day", "none"].map((field) => formatter.format(1971, field)), ["€1,971.00", "1,971\u00a0cm", "1971", "1971"]);
});

test("the unit of money is its symbol", () => {
  const formatter = new LocalizedFormatter(fields, "fr");
  assert.deepEqual(["price", "cost", "width", "none"].map((field) => formatter.unit(field)), ["€", "$US", "in", undefined]);
});

test("the setting is requested once for each strip, and is empty for a missing one", async () => {
  const asked = [];
  const request = async (path) => {
    asked.push(path);
    if (path.endsWith("none")) throw Object.assign(new Error("There is no such strip"), { status: 404 });
    return { fields };
  };
  const strip = { name: "a", getAttribute: () => strip.name, fetchJSON: request };
  const both = await Promise.all([loadFormatter(strip, "de"), loadFormatter(strip, "en")]);
  strip.name = "none";
  const none = await loadFormatter(strip, "en");
  assert.deepEqual([...both, none].map((formatter) => formatter.label("price")), ["Preis", "Price", "Price"]);
  assert.deepEqual(asked, ["strips/a", "strips/none"]);
});

test("a setting that the server could not send is requested again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const failures = [Object.assign(new Error("busy"), { status: 503 }), new TypeError("offline")];
  const request = async () => {
    if (failures[0]) throw failures.shift();
    return { fields };
  };
  const formatter = loadFormatter({ getAttribute: () => "a", fetchJSON: request }, "de");
  for (const ms of [500, 1000]) {
    await new Promise(setImmediate);
    context.mock.timers.tick(ms);
  }
  assert.equal((await formatter).label("price"), "Preis");
});

test("readers see all fields, or those with a label and those to filter by", () => {
  const names = ["price", "far", "brand"];
  assert.deepEqual(new LocalizedFormatter({}, "en", ["brand"]).shown(names), names);
  assert.deepEqual(new LocalizedFormatter(fields, "en", ["brand"]).shown(names), ["price", "brand"]);
});

test("the formatter of an earlier strip does not take the place of that of a later one", async (context) => {
  globalThis.window = undefined; // `on` gets it
  context.after(() => delete globalThis.window);
  const answers = {};
  const request = (path) => new Promise((resolve) => (answers[path] = resolve));
  const strip = { name: "a", getAttribute: () => strip.name, items: [], fetchJSON: request };
  let reload;
  const written = [];
  const dependencies = {
    fill: (_, item, write) => written.push(write("3", "price", "currency")),
    isShown: () => true,
    languageOf: () => "en",
    placeholdersOf: { get: () => [] },
  };
  const loading = formatCards(strip, (type, listener) => type === "reload" && (reload = listener), dependencies);
  strip.name = "b";
  const later = reload();
  const settings = (unit) => ({ fields: { price: { format: "currency", unit } } });
  answers["strips/b"](settings("USD"));
  await later;
  answers["strips/a"](settings("EUR"));
  await loading;
  strip.formatCard({ querySelectorAll: () => [] }, {});
  assert.deepEqual(written, ["$3.00"]);
});
