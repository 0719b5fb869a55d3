import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";
import "../../Public/js/position/scroll-adjustment.js"; // find-anchor.js loads it
import { PendingScroll } from "../../Public/js/position/pending-scroll.js";
import { START } from "../../Public/js/position/anchors.js";
import { WindowSwap } from "../../Public/js/position/window-swap.js";

const EXTENT = 40_000; // items of 100 px
const settled = () => new Promise(setImmediate);
const itemAt = (index) => ({ id: `i${index}`, index, start: 100 * index, size: 100 });
const itemsIn = (from, to) => Array.from({ length: EXTENT / 100 }, (_, index) => itemAt(index)).filter(({ start, size }) => start < to && start + size > from);

let strip;
let scroller;
let swap;
let told; // the events
let requested; // the queries of windows, with their `signal`
let drawings; // what was shown: offsets
let listeners; // to events, by type
beforeEach(() => {
  [told, requested, drawings, listeners] = [[], [], [], {}];
  scroller = { lastOffset: 0 };
  strip = {
    attributes: { strip: "s" },
    axis: { query: { height: 200 }, parameter: "width", scrollPaddingOf: () => 0, anchorsInView: (offset) => [{ item: `i${offset / 100}`, at: 0, end: 100 }, { offset }] },
    ...{ dataset: {}, items: [], meta: null, offset: 0, viewportSize: 1000, clientWidth: 1000, inset: null, mayRequest: true, mayPrefetch: () => true },
    pendingScroll: new PendingScroll(),
    get drawnView() {
      return swap.windows?.query.view;
    },
    option: (name) => strip.attributes[name] ?? null,
    emit(type) {
      told.push(type);
      return listeners[type]?.() ?? true;
    },
    requestDraw: mock.fn(),
    async dataSource(query, signal) {
      requested.push({ ...query, signal });
      const { item, offset = 0, width, revision = 1 } = query;
      if (item) return { ...query, offset: 0, overscan: 0, items: [itemAt(+item.slice(1))] };
      return { strip: query.strip, revision, count: EXTENT / 100, extent: EXTENT, offset, width, overscan: 0, items: itemsIn(offset, offset + width) };
    },
  };
  swap = new WindowSwap(strip, scroller, (type) => told.push(type), () => told.push("empty"));
  mock.method(swap, "start");
});

function draw(isMoving) {
  swap.swapIfReady(isMoving, ({ response: meta }, offset) => {
    drawings.push(offset);
    Object.assign(strip, { meta, offset });
    scroller.lastOffset = offset;
    strip.items = swap.windows.items(offset, offset + strip.viewportSize);
  });
}

/** Draws, and draws again when the answers are there. */
async function drawn() {
  draw();
  await settled();
  draw();
}

test("windows are drawn once they cover the viewport at the place that was asked for", async () => {
  draw();
  assert.deepEqual([swap.newest, told, requested], [undefined, [], []]);
  swap.start([{ offset: 5000 }]);
  draw();
  assert.deepEqual([drawings, swap.newest === swap.pending], [[], true]);
  await settled();
  assert.equal(requested.length, 1);
  draw();
  assert.deepEqual([drawings, told], [[5000], ["window", "willreload", "reload"]]);
  assert.deepEqual([swap.pending, swap.anchors, swap.newest === swap.windows], [undefined, undefined, true]);
});

test("a later request takes the place of the pending one, which is aborted, and is of no earlier revision", async () => {
  swap.start([{ offset: 5000 }], 8);
  draw();
  const [{ signal }] = requested;
  swap.start([{ offset: 9000 }], null);
  assert.equal(signal.aborted, true);
  await drawn();
  assert.deepEqual([drawings, requested.at(-1).revision], [[9000], 8]);
  swap.start([{ offset: 9000 }], null); // a retry, which another server can answer
  await drawn();
  assert.equal(requested.at(-1).revision, 8);
});

test("other items, sizes and places that were asked for are no places in what is drawn, until they are drawn", async () => {
  swap.start();
  await drawn();
  strip.attributes.q = "blue";
  swap.start([START]);
  assert.deepEqual([swap.isStale, swap.isStarting], [true, true]);
  draw();
  assert.deepEqual([swap.isStale, swap.isStarting], [true, false]);
  await drawn();
  assert.deepEqual([swap.isStale, swap.targetsPending, requested.at(-1).q], [false, undefined, "blue"]);
  for (const [query, anchors, targetsPending] of [[{ height: 200 }, undefined, false], [{ height: 200 }, [START], true], [{ height: 100 }, undefined, true]]) {
    strip.axis.query = query;
    swap.start(anchors);
    assert.deepEqual([swap.isStale, swap.targetsPending, swap.isStarting], [false, targetsPending, targetsPending]);
  }
  swap.pending.close(); // after a failure, those that are drawn stay
  assert.equal(swap.targetsPending, false);
});

test("a listener that changes the view before it is drawn gets the next one", async () => {
  strip.attributes.q = "red";
  swap.start();
  listeners.willreload = () => {
    delete listeners.willreload;
    strip.attributes.q = "blue";
    swap.start();
  };
  await drawn();
  assert.deepEqual([drawings, swap.newest === swap.pending], [[], true]);
  draw();
  await settled();
  strip.attributes.q = "green"; // a listener to `beforereload` has prevented its request
  draw();
  assert.deepEqual([drawings, swap.pending, requested.at(-1).q, strip.drawnView], [[0], undefined, "blue", ["", "", "blue", ""]]);
});

test("a finger holds what is drawn, until it is lifted", async () => {
  swap.start();
  strip.isTouched = true;
  await drawn();
  assert.deepEqual(drawings, []);
  strip.isTouched = false;
  draw();
  assert.deepEqual(drawings, [0]);
});

test("a strip that is hidden has no windows, and returns to where it stood, or to the place that was asked for", async () => {
  swap.start([{ offset: 5000 }]);
  await drawn();
  swap.suspend();
  assert.deepEqual([swap.newest, swap.anchors], [undefined, [{ item: "i50", at: 0, end: 100 }, { offset: 5000 }]]);
  draw();
  assert.equal(requested.length, 1);
  swap.resize();
  await drawn();
  await drawn(); // the item is found first
  assert.deepEqual(drawings, [5000, 5000]);
  strip.pendingScroll.start(strip, { index: 70 }, swap.windows);
  swap.suspend();
  assert.deepEqual([swap.anchors, strip.pendingScroll.place], [[{ index: 70 }, START], null]);
  swap.suspend();
  assert.deepEqual(swap.anchors, [{ index: 70 }, START]);
});

test("a strip that is hidden requests a later revision, or the newest one, when it is shown", async () => {
  for (const [revision, isLater, isHidden = true] of [[1, false], [null, false], [2, true], [undefined, true], [undefined, true, false]]) {
    swap.start();
    await drawn();
    if (!isHidden) swap.reload(revision); // it is on its way when the strip gets hidden
    swap.suspend();
    told = [];
    if (isHidden) swap.reload(revision);
    assert.deepEqual([swap.isStale, told], [isLater, []], `${revision}`);
    swap.resize();
    assert.deepEqual(swap.start.mock.calls.at(-1).arguments.slice(1), [null, isLater ? null : strip.meta]); // not the answer that it had
  }
});

test("a listener that prevents a reload requests the windows itself", async () => {
  swap.start();
  await drawn();
  swap.reload();
  listeners.beforereload = () => false;
  swap.reload();
  assert.equal(swap.start.mock.callCount(), 2);
});

test("a strip without a name has no windows until it has one", async () => {
  swap.start();
  await drawn();
  strip.attributes.strip = null;
  swap.start([START]);
  assert.deepEqual([swap.newest, swap.anchors, told.at(-1)], [undefined, [START], "empty"]);
});

test("a resize requests other windows only for a larger pool, and counts on the answer that it has", async () => {
  swap.start();
  await drawn();
  swap.resize();
  assert.equal(swap.start.mock.callCount(), 1);
  strip.viewportSize = 2000;
  swap.resize();
  assert.deepEqual(swap.start.mock.calls[1].arguments, [undefined, null, strip.meta]);
});

test("after an edit, an answer for items that the reader has left is requested again", async (context) => {
  swap.start();
  await drawn();
  context.mock.method(globalThis, "fetch", async (url) => ({ ok: true, json: async () => ({ revision: 2, items: JSON.parse(new URL(url).searchParams.get("ids")).map((id) => itemAt(+id.slice(1))) }) }));
  swap.reload(2);
  draw();
  await settled();
  Object.assign(strip, { offset: 9000, items: itemsIn(9000, 10_000) });
  scroller.lastOffset = 9000;
  told = [];
  await drawn();
  assert.deepEqual(told.filter((type) => /reload/.test(type)), ["beforereload"]);
  await drawn();
  await drawn();
  assert.deepEqual([drawings.at(-1), strip.meta.revision], [9000, 2]);
});

test("windows that keep what is in view wait for a movement to end, and others do not", async () => {
  swap.start();
  await drawn();
  for (const [anchors, count] of [[[{}], 0], [[{ offset: 5000 }], 1]]) {
    drawings = [];
    swap.start(anchors);
    draw(true);
    await settled();
    draw(true);
    assert.equal(drawings.length, count);
  }
});
