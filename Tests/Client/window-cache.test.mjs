import assert from "node:assert/strict";
import test, { afterEach, beforeEach, mock } from "node:test";
import { WindowCache } from "../../Public/js/windows/window-cache.js";

const EXTENT = 100_000;
const POOL = 2048;
let requested;
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
  requested = [];
  server = async (url) => json(answer(url));
  mock.method(globalThis, "fetch", (address, { signal } = {}) => {
    const url = new URL(address);
    requested.push(url);
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      server(url).then(resolve, reject);
    });
  });
});

afterEach(() => mock.restoreAll());

/** A strip that may request all windows, along an axis. */
const stripAlong = (parameter) => ({ axis: { parameter }, mayRequest: true, mayPrefetch: () => true });

/** What all requests share: these parameters, and the pool. */
const sharing = (parameters) => ({ parameters: { ...parameters, pool: POOL } });

function open(notify = () => {}, query = { strip: "s", where: null }, meta = null) {
  return new WindowCache(sharing(query), stripAlong("width"), notify, meta);
}

const places = () => requested.map((url) => [url.searchParams.get("offset"), url.searchParams.get("width")].map(Number));

test("the first request has no revision, and its answer pins that of the others", async () => {
  const cache = open();
  cache.load(0, 1280);
  cache.load(0, 1280);
  assert.deepEqual(places(), [[0, 2048]], "one request until the revision is known");
  await settled();
  cache.load(5000, 6280);
  assert.equal(requested[0].searchParams.has("revision"), false);
  assert.equal(requested[1].searchParams.get("revision"), "7");
});

test("requests are aligned to a tile, none twice, none outside the strip", async () => {
  const cache = open();
  for (let x = 0; x < EXTENT - 1280; x += 90) {
    cache.load(x, x + 1280);
    await settled();
  }
  assert.equal(new Set(requested.map(String)).size, requested.length);
  for (const url of requested) {
    assert.equal(url.searchParams.get("offset") % 512, 0);
    assert.equal(url.searchParams.get("width") % 512, 0);
    assert.equal(url.searchParams.get("pool"), "2048");
    assert.ok(Number(url.searchParams.get("offset")) < EXTENT);
  }
});

test("one answer covers a viewport after a jump", async () => {
  const cache = open(() => {}, { strip: "s", revision: 7 }, { extent: EXTENT, revision: 7 });
  cache.load(50_300, 51_580);
  await Promise.resolve();
  const count = requested.length;
  assert.ok(Number(requested[0].searchParams.get("width")) === 2048);
  await settled();
  assert.ok(cache.covers(50_300 - 128, 51_580 + 128));
  assert.ok(count <= 5, "with the prefetches on both sides");
});

test("items are those that meet the range, each once, in order", async () => {
  const cache = open();
  cache.load(1000, 2280);
  await settled();
  const indices = cache.items(1000, 2280).map(({ index }) => index);
  assert.deepEqual(indices, [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]);
});

test("unwanted requests are aborted, and not reported", async () => {
  const notified = [];
  const cache = open((type, what) => notified.push([type, what]), { strip: "s" }, { extent: EXTENT, revision: 7 });
  server = () => new Promise(() => {});
  cache.load(0, 1280);
  const signals = fetch.mock.calls.map(({ arguments: [, options] }) => options.signal);
  cache.load(60_000, 61_280);
  assert.ok(signals.every(({ aborted }) => aborted));
  await settled();
  assert.deepEqual(notified, []);
});

test("at most five requests run at once, at any velocity", () => {
  const cache = open(() => {}, { strip: "never" }, { extent: EXTENT, revision: 7 });
  server = () => new Promise(() => {});
  let running = 0;
  const original = fetch;
  mock.method(globalThis, "fetch", (url, { signal }) => {
    running += 1;
    signal.addEventListener("abort", () => (running -= 1));
    return original(url, { signal });
  });
  for (let x = 10_000; x < 40_000; x += 640) {
    cache.load(x, x + 1280, x, 2);
    assert.ok(running <= 5);
  }
  assert.ok(running > 0);
});

test("a movement to a goal prefetches what is on the way, by aligned pools, and nothing twice", async () => {
  const cache = open(() => {}, { strip: "s" }, { extent: EXTENT, revision: 7 });
  for (let x = 20_000; x <= 24_000; x += 100) {
    cache.load(x, x + 1280, 24_000);
    await settled();
  }
  const offsets = places().map(([offset]) => offset);
  assert.ok(offsets.includes(22_528) && offsets.includes(24_576));
  assert.equal(new Set(offsets).size, offsets.length);
  for (const [offset, width] of places()) {
    assert.equal(width, 2048);
    assert.equal(offset % 2048, 0);
  }
});

/** The least and the greatest px that a strip of `width` px requests at 40,000 px, with intent. */
async function requestedAround(width) {
  const cache = open();
  for (let k = 0; k < 20; k += 1) {
    cache.load(40_000, 40_000 + width, 40_000, 2);
    await settled();
  }
  const offsets = places().map(([offset]) => offset);
  return [Math.min(...offsets), Math.max(...offsets) + POOL];
}

test("prefetches cover what a fast fling passes in 300 ms", async () => {
  const [least, greatest] = await requestedAround(1280);
  assert.ok(least <= 40_000 - 20 * 300 && greatest >= 41_280 + 20 * 300);
});

test("a narrow strip prefetches six viewports", async () => {
  const [least, greatest] = await requestedAround(358);
  assert.ok(least > 40_000 - 6 * 358 - 2 * POOL && greatest < 40_358 + 6 * 358 + 2 * POOL);
});

test("at level 0 only the viewport is requested, and at level 1 its neighbours", async () => {
  const cache = open();
  for (const [prefetchLevel, expected] of [[0, [0]], [1, [0, 2048]]]) {
    for (let k = 0; k < 3; k += 1) {
      cache.load(0, 1280, 0, prefetchLevel);
      await settled();
    }
    assert.deepEqual(places().map(([offset]) => offset), expected);
  }
});

test("caches that request the same address at the same time share one request", async () => {
  const [one, other] = [open(), open()];
  one.load(0, 1280);
  other.load(0, 1280);
  assert.equal(requested.length, 1);
  one.close(); // the other still waits
  await settled();
  assert.ok(other.covers(0, 1280));
  open().load(0, 1280);
  assert.equal(requested.length, 2);
});

test("a failure is reported, and ends all requests", async () => {
  const notified = [];
  const cache = open((type, what) => notified.push([type, what]));
  server = async () => json({ detail: "busy" }, 503);
  cache.load(0, 1280);
  await settled();
  const [type, { message, response }] = notified[0];
  assert.deepEqual([type, message, response.status], ["error", "busy", 503]);
  cache.load(0, 1280);
  assert.equal(requested.length, 1);
});

test("a rejected request is not sent again", async () => {
  const notified = [];
  const cache = open((type, what) => notified.push([type, what]));
  server = async () => json({ detail: "no such strip" }, 404);
  cache.load(0, 1280);
  await settled();
  cache.load(0, 1280);
  assert.equal(requested.length, 1);
  assert.equal(notified[0][1].response.status, 404);
});

test("the oldest answers are evicted", async () => {
  const cache = open();
  for (let x = 0; x <= EXTENT - 1280; x += 235) {
    cache.load(x, x + 1280);
    await settled();
  }
  assert.ok(cache.covers(EXTENT - 1280, EXTENT));
  assert.ok(!cache.covers(0, 512));
});

test("the answer in view is not evicted, though others come after it", async () => {
  const cache = open(() => {}, { strip: "evicting" });
  cache.load(0, 1280);
  await settled();
  for (let k = 1; k < 40; k += 1) {
    await cache.fetchWindow({ offset: k * POOL, size: POOL });
    cache.load(0, 1280);
  }
  assert.ok(cache.covers(0, 1280));
  assert.equal(places().filter(([offset]) => offset === 0).length, 1);
  assert.ok(!cache.covers(3 * POOL, 3 * POOL + 1280));
  assert.ok(cache.covers(39 * POOL, 39 * POOL + 1280));
});

test("in a layout, lengths along the axis are heights, and each request has the width", async () => {
  const asked = [];
  server = async (url) => {
    const { width, height } = Object.fromEntries(url.searchParams);
    asked.push([+width, +height]);
    url.searchParams.set("width", height);
    return json({ ...answer(url), width: +width, height: +height });
  };
  const cache = new WindowCache(sharing({ strip: "s", layout: "rows", width: 700 }), stripAlong("height"), () => {});
  cache.load(-300, 980);
  await settled();
  assert.ok(cache.covers(-300, 980), "nothing is before the first row");
  await cache.fetchWindow({ item: "i7" });
  assert.deepEqual(asked, [[700, POOL], [700, 16]]);
});

test("an answer to a question of the page's own about another view is not cached", async () => {
  const cache = open();
  cache.load(0, 1280);
  await settled();
  const { response } = cache;
  assert.ok(response);
  await cache.fetchWindow({ offset: 5000, width: 2048, where: "year = 1999" });
  assert.equal(cache.response, response);
  assert.deepEqual(cache.items(5000, 6000), []);
  await cache.fetchWindow({ offset: 5000, width: 2048 });
  assert.equal(cache.items(5000, 6000).length, 10);
});

test("whether a strip may request is asked before each request, since those before it count", async () => {
  const strip = { ...stripAlong("width"), mayPrefetch: () => requested.length < 2 };
  const cache = new WindowCache(sharing({ strip: "s", revision: 7 }), strip, () => {}, { extent: EXTENT, revision: 7 });
  cache.load(50_000, 51_280, 50_000, 2);
  assert.equal(requested.length, 2);
});

test("a prefetch that fails is sent again after a while, and what is in view is requested all the same", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const told = [];
  const strip = { ...stripAlong("width"), requestDraw: mock.fn() };
  const cache = new WindowCache(sharing({ strip: "s" }), strip, (type) => told.push(type));
  cache.load(0, 1000);
  await settled();
  server = async (url) => (+url.searchParams.get("offset") >= POOL ? { ...json({}, 503), headers: new Map() } : json(answer(url)));
  cache.load(0, 1000, 0, 1);
  await settled();
  cache.load(0, 1000, 0, 1);
  assert.deepEqual([told, requested.length, strip.requestDraw.mock.callCount()], [["window"], 2, 0]);
  context.mock.timers.tick(1000);
  assert.equal(strip.requestDraw.mock.callCount(), 1);
  cache.load(0, 1000, 0, 1);
  assert.equal(requested.length, 3);
  await settled();
  cache.load(POOL, POOL + 1000);
  assert.equal(requested.length, 4, "it is in view now");
});
