import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

const document = createPage({ dispatchEvent() {} });
const { startPlugin } = await import("../../Public/js/base/plugin.js");
const { retry } = await import("../../Public/js/controls/retry.js");

let strip;
let notice;
let stop;
beforeEach(() => {
  stop?.();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(Math, "random", () => 0);
  const viewport = new FakeElement();
  document.body.replaceChildren(viewport);
  strip = Object.assign(new FakeElement("carousel-strip"), { hooks: {}, viewport, meta: null, reload: mock.fn(), pendingScroll: {} });
  stop = startPlugin(retry, strip);
  notice = document.body.children.at(-1);
});

const tell = (type, detail) => strip.dispatchEvent(Object.assign(new Event(type), { detail, composedPath: () => [strip] }));
const fail = (detail) => tell("error", detail);
const reloads = () => strip.reload.mock.calls.map(({ arguments: [revision] }) => revision);
const after = (seconds) => ({ response: { headers: new Map([["Retry-After", seconds]]) } });

test("a server that does not answer is asked again after growing delays, until it answers", () => {
  for (const delay of [500, 1000, 2000]) {
    fail({ status: 503 });
    mock.timers.tick(delay - 1);
    const before = reloads().length;
    mock.timers.tick(1);
    assert.equal(reloads().length, before + 1, `after ${delay} ms`);
    tell("window", { count: 3 }); // a window of another place
    strip.pendingScroll.place = delay < 2000 ? { index: 5 } : null;
    if (delay < 2000) tell("reload", { count: 3 }); // the place that was asked for is still to come
  }
  assert.equal(notice.textContent, "No answer from the server. Trying again.");
  tell("reload", { count: 3 });
  assert.equal(notice.textContent, "");
  fail({});
  mock.timers.tick(500);
  assert.deepEqual(reloads(), [null, null, null, null]);
});

test("a Retry-After counts, and a later failure with a shorter delay", () => {
  fail(after(10));
  mock.timers.tick(9999);
  assert.deepEqual(reloads(), []);
  fail(after(1));
  mock.timers.tick(1000);
  assert.deepEqual(reloads(), [null]);
});

test("a revision that is gone is replaced at once, and after a delay if it happens again", () => {
  for (const status of [410, 410]) fail({ status }); // of two requests
  mock.timers.tick(0);
  fail({ status: 410 });
  mock.timers.tick(499);
  assert.deepEqual(reloads(), [undefined]);
  mock.timers.tick(1);
  assert.deepEqual(reloads(), [undefined, undefined]);
});

test("a rejected request is not sent again, and the notice says why", () => {
  fail(after(1));
  fail({ status: 400, message: "The field is unknown." });
  mock.timers.tick(60_000);
  assert.deepEqual([reloads(), notice.textContent], [[], "The field is unknown."]);
});

test("a place that the strip does not have is no failure, and what was asked for ends the retries", () => {
  fail({ status: 404, parameter: "item" });
  fail({ status: 503 });
  for (const [detail, text] of [[{ count: 0 }, "This strip has no items."], [{ count: 0, view: { q: "x" } }, "No items match."]]) {
    tell("reload", detail);
    assert.equal(notice.textContent, text);
  }
  mock.timers.tick(60_000);
  assert.deepEqual(reloads(), []);
});
