import assert from "node:assert/strict";
import test, { afterEach, beforeEach, mock } from "node:test";
import { Windows } from "../../Public/js/windows.js";

const EXTENT = 100_000;
const POOL = 2048;
let asked;
let server;

/** Items of 100 px, one after another. */
function answer(url) {
  const offset = Number(url.searchParams.get("offset"));
  const width = Number(url.searchParams.get("width"));
  const [first, end] = [Math.max(0, Math.floor(offset / 100)), Math.ceil((offset + width) / 100)];
  const items = [];
  for (let index = first; index < Math.min(end, EXTENT / 100); index += 1) {
    items.push({ index, id: `i${index}`, kind: "card", slot: `card-${index % 22}`, start: index * 100, size: 100 });
  }
  return { revision: 7, count: EXTENT / 100, extent: EXTENT, wrap: false, offset, width, overscan: 0, pools: { card: 22 }, items };
}

const json = (body, status = 200) => ({ ok: status < 400, status, json: async () => body });
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  asked = [];
  server = async (url) => json(answer(url));
  mock.method(globalThis, "fetch", (address, { signal } = {}) => {
    const url = new URL(address);
    asked.push(url);
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      server(url).then(resolve, reject);
    });
  });
});

afterEach(() => mock.restoreAll());

function windows(tell = () => {}, query = { strip: "s" }, head = null) {
  return new Windows(query, POOL, tell, head);
}

const places = () => asked.map((url) => [url.searchParams.get("offset"), url.searchParams.get("width")].map(Number));

test("the first question has no revision, the following ones pin the one it told", async () => {
  const strip = windows();
  strip.ask(0, 1280);
  strip.ask(0, 1280);
  assert.deepEqual(places(), [[0, 2048]], "one question while the revision is not known");
  await settled();
  strip.ask(5000, 6280);
  assert.equal(asked[0].searchParams.has("revision"), false);
  assert.equal(asked[1].searchParams.get("revision"), "7");
});

test("everything is asked by aligned cells with one pool, nothing twice, nothing outside", async () => {
  const strip = windows();
  for (let x = 0; x < EXTENT - 1280; x += 90) {
    strip.ask(x, x + 1280);
    await settled();
  }
  assert.equal(new Set(asked.map(String)).size, asked.length);
  for (const url of asked) {
    assert.equal(url.searchParams.get("offset") % 512, 0);
    assert.equal(url.searchParams.get("width") % 512, 0);
    assert.equal(url.searchParams.get("pool"), "2048");
    assert.ok(Number(url.searchParams.get("offset")) < EXTENT);
  }
});

test("a place never seen is covered by one answer", async () => {
  const strip = windows(() => {}, { strip: "s", revision: 7 }, { extent: EXTENT, revision: 7 });
  strip.ask(50_300, 51_580);
  await Promise.resolve();
  const landing = asked.length;
  assert.ok(Number(asked[0].searchParams.get("width")) === 2048);
  await settled();
  assert.ok(strip.covers(50_300 - 128, 51_580 + 128));
  assert.ok(landing <= 5, "and what is ahead on either side");
});

test("items are those that meet the stretch, each once, in order", async () => {
  const strip = windows();
  strip.ask(1000, 2280);
  await settled();
  const indices = strip.items(1000, 2280).map(({ index }) => index);
  assert.deepEqual(indices, [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]);
});

test("what is under way and no longer wanted is aborted, and not reported", async () => {
  const told = [];
  const strip = windows((type, what) => told.push([type, what]), { strip: "s" }, { extent: EXTENT, revision: 7 });
  server = () => new Promise(() => {});
  strip.ask(0, 1280);
  const signals = fetch.mock.calls.map(({ arguments: [, options] }) => options.signal);
  strip.ask(60_000, 61_280);
  assert.ok(signals.every(({ aborted }) => aborted));
  await settled();
  assert.deepEqual(told, []);
});

/** A strip of which all is known but its items, which moved for 16 ms at `velocity` px/ms, and is at `x`. */
async function moving(x, velocity) {
  let now = 1000;
  mock.method(performance, "now", () => now);
  const strip = windows(() => {}, { strip: "s" }, { extent: EXTENT, revision: 7 });
  for (let k = 0; k < 4; k += 1) {
    strip.ask(x - 16 * velocity, x - 16 * velocity + 1280);
    await settled();
  }
  now += 16;
  asked.length = 0;
  strip.ask(x, x + 1280);
  return strip;
}

test("no more than three questions are under way, however fast the movement", () => {
  const strip = windows(() => {}, { strip: "s" }, { extent: EXTENT, revision: 7 });
  server = () => new Promise(() => {});
  let underWay = 0;
  const original = fetch;
  mock.method(globalThis, "fetch", (url, { signal }) => {
    underWay += 1;
    signal.addEventListener("abort", () => (underWay -= 1));
    return original(url, { signal });
  });
  for (let x = 10_000; x < 40_000; x += 640) {
    strip.ask(x, x + 1280);
    assert.ok(underWay <= 3);
  }
  assert.equal(underWay, 3);
});

test("a movement is led by what lies ahead of it", async () => {
  const rest = await moving(20_000, 0).then(places);
  const back = await moving(20_000, -20).then(places);
  const least = (all) => Math.min(...all.map(([offset]) => offset));
  assert.ok(back.length > 0);
  assert.ok(least(back) < 15_000 && !(least(rest) < 15_000));
});

test("after a jump over more than four widths nothing leads", async () => {
  await moving(50_000, 1000);
  for (const [offset, width] of places()) assert.ok(offset > 44_000 && offset + width < 58_000);
});

test("what fails is told of, and nothing is asked any more: others are to take its place", async () => {
  const told = [];
  const strip = windows((type, what) => told.push([type, what]));
  server = async () => json({ detail: "busy" }, 503);
  strip.ask(0, 1280);
  await settled();
  const [type, { message, response }] = told[0];
  assert.deepEqual([type, message, response.status], ["error", "busy", 503]);
  strip.ask(0, 1280);
  assert.equal(asked.length, 1);
});

test("a refusal is final", async () => {
  const told = [];
  const strip = windows((type, what) => told.push([type, what]));
  server = async () => json({ detail: "no such strip" }, 404);
  strip.ask(0, 1280);
  await settled();
  strip.ask(0, 1280);
  assert.equal(asked.length, 1);
  assert.equal(told[0][1].response.status, 404);
});

test("what was held longest is given up: memory is bounded", async () => {
  let now = 0;
  mock.method(performance, "now", () => (now += 1000)); // so slowly that nothing is asked by fours
  const strip = windows();
  for (let x = 0; x <= EXTENT - 1280; x += 235) {
    strip.ask(x, x + 1280);
    await settled();
  }
  assert.ok(strip.covers(EXTENT - 1280, EXTENT));
  assert.ok(!strip.covers(0, 512));
});

test("a fling is led by stretches of four cells, aligned, so that few questions reach far", async () => {
  await moving(20_480, 60);
  assert.ok(asked.length >= 2);
  for (const [offset, width] of places()) {
    assert.equal(width, 2048);
    assert.equal(offset % 2048, 0);
  }
  assert.ok(Math.max(...places().map(([offset]) => offset)) > 24_000);
});
