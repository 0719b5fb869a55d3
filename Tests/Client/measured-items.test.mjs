import assert from "node:assert/strict";
import test from "node:test";
import { MeasuredItems } from "../../Public/js/cards/measured-items.js";
import { templateOf } from "../../Public/js/cards/template.js";
import { sizeClass } from "../../Public/js/windows/geometry.js";

/** Measures a strip of two items. `requested` has the paths, and `hold` holds the next window until the returned function is called. */
function measuring(context) {
  globalThis.document = { fonts: { ready: Promise.resolve() } };
  context.after(() => delete globalThis.document);
  const requested = [];
  let held;
  let count = 2;
  const request = async (path) => {
    requested.push(path);
    const items = Array.from({ length: count }, (_, index) => ({ index, id: `${index}`, kind: "card", size: 100 }));
    const settings = { revision: 7, count, gap: 8, inset: 0 };
    if (path !== "window") return settings;
    await held;
    return { strip: "s", revision: 7, height: 180, offset: 0, extent: 300, items };
  };
  const strip = { request, querySelector: () => ({ dataset: {} }) };
  const items = new MeasuredItems(strip, { VIEW: ["q"], MAX_MEASURED: 10, MEASURED_AT_ONCE: 10, sizeClass, templateOf });
  const hold = () => {
    let go;
    held = new Promise((ready) => (go = ready));
    return go;
  };
  return { requested, items, hold, setCount: (other) => (count = other) };
}

const query = (revision) => ({ strip: "s", revision, offset: 0, width: 1000 });

test("a strip is measured once for each revision, also if the newest one is asked for", async (context) => {
  const { requested, items } = measuring(context);
  for (const revision of [null, 7, undefined]) await items.answer(query(revision));
  assert.equal(requested.filter((path) => path === "window").length, 1);
  await Promise.all([items.answer(query(7)), items.answer(query(7))]);
  assert.equal(requested.filter((path) => path === "window").length, 1);
});

test("what is measured while it is forgotten is measured again", async (context) => {
  const { items, hold, setCount } = measuring(context);
  const go = hold();
  const former = items.answer(query(7));
  await new Promise(setImmediate);
  items.forget();
  go();
  await former;
  setCount(1);
  assert.equal((await items.answer(query(7))).answer.count, 1);
});

test("a strip that could not be loaded is loaded again", async () => {
  const fail = async () => {
    throw new Error("offline");
  };
  const strip = { request: fail };
  const failing = new MeasuredItems(strip, { VIEW: [], MAX_MEASURED: 10, MEASURED_AT_ONCE: 10, sizeClass, templateOf });
  await assert.rejects(failing.answer(query(7)));
  strip.request = async () => ({ revision: 7, count: 11, items: [] });
  assert.equal((await failing.answer(query(7))).answer.count, 11);
});
