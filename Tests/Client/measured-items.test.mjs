import assert from "node:assert/strict";
import test from "node:test";
import { MeasuredItems } from "../../Public/js/cards/measured-items.js";
import { templateOf } from "../../Public/js/cards/template.js";
import { sizeClass } from "../../Public/js/windows/geometry.js";

/** Measures a strip of two items, whose cards are 50 px wide. `requested` has the paths, and `hold` holds the next window until the returned function is called. */
function measuring(context) {
  const node = () => ({ dataset: {}, style: {}, append() {}, remove() {} });
  const globals = { document: { fonts: { ready: Promise.resolve() }, createElement: node }, getComputedStyle: () => ({ width: "50px" }) };
  Object.assign(globalThis, globals);
  context.after(() => Object.keys(globals).forEach((name) => delete globalThis[name]));
  const requested = [];
  let held;
  let count = 2;
  const request = async (path) => {
    requested.push(path);
    const items = Array.from({ length: count }, (_, index) => ({ index, id: `${index}`, kind: "card", get size() { return 100; } })); // to set it throws: other strips can have the answer
    const settings = { revision: 7, count, gap: 8, inset: 0 };
    if (path !== "window") return settings;
    await held;
    return { strip: "s", revision: 7, height: 180, offset: 0, extent: 300, items };
  };
  const content = { cloneNode: () => ({ querySelectorAll: () => [] }) };
  const strip = { fetchJSON: request, querySelector: () => ({ dataset: { measure: "" }, content }), cardList: node() };
  const placeholders = { fill() {}, findPlaceholders: () => [], placeholdersOf: new Map() };
  const items = new MeasuredItems(strip, { QUERY_ATTRIBUTES: ["strip", "q"], MAX_MEASURED: 10, MEASURE_BATCH: 10, sizeClass, templateOf, ...placeholders });
  const hold = () => {
    let resolve;
    held = new Promise((ready) => (resolve = ready));
    return resolve;
  };
  return { requested, items, hold, setCount: (other) => (count = other) };
}

const query = (revision) => ({ strip: "s", revision, offset: 0, width: 1000 });

test("a strip is measured once for each revision, also if the newest one is asked for", async (context) => {
  const { requested, items } = measuring(context);
  for (const revision of [null, 7, undefined]) assert.deepEqual((await items.respond(query(revision))).response.items.map(({ size }) => size), [50, 50]);
  assert.equal(requested.filter((path) => path === "window").length, 1);
  await Promise.all([items.respond(query(7)), items.respond(query(7))]);
  assert.equal(requested.filter((path) => path === "window").length, 1);
});

test("what is measured while it is forgotten is measured again", async (context) => {
  const { items, hold, setCount } = measuring(context);
  const release = hold();
  const former = items.respond(query(7));
  await new Promise(setImmediate);
  items.invalidate();
  release();
  await former;
  setCount(1);
  assert.equal((await items.respond(query(7))).response.count, 1);
});

test("a strip that could not be loaded is loaded again", async () => {
  const fail = async () => {
    throw new Error("offline");
  };
  const strip = { fetchJSON: fail };
  const failing = new MeasuredItems(strip, { QUERY_ATTRIBUTES: ["strip"], MAX_MEASURED: 10, MEASURE_BATCH: 10, sizeClass, templateOf });
  await assert.rejects(failing.respond(query(7)));
  strip.fetchJSON = async () => ({ revision: 7, count: 11, items: [] });
  assert.equal((await failing.respond(query(7))).response.count, 11);
});
