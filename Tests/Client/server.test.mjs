import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test from "node:test";
import { loadSheet } from "../../Public/js/server/files.js";
import { isLink, safeURL } from "../../Public/js/server/links.js";
import { fetchJSON } from "../../Public/js/server/requests.js";
import { backoffDelay, isNotFound, retryUntilLoaded } from "../../Public/js/server/retries.js";
import { cases } from "./cases.mjs";

test("a link is a link of the server, and its URL is safe, unless it is invalid", () => {
  assert.equal(safeURL("http://["), undefined);
  for (const one of cases("links")) {
    assert.equal(isLink(one.link), one.isLink, one.link);
    assert.equal(isLink(one.link, /^https?$/i), one.isImage, one.link);
    assert.equal(safeURL(one.link) !== undefined, one.isLink, one.link);
  }
});

test("a place is not found if the server names it", () => {
  for (const parameter of ["index", "item", "align", "at"]) assert.ok(isNotFound({ parameter }), parameter);
  for (const parameter of ["strip", "attr-id", "inset", undefined]) assert.ok(!isNotFound({ parameter }), parameter);
});

test("delays before retries double, differ by chance, and end at 30 seconds", () => {
  for (const failures of [0, 1, 5]) {
    const delays = Array.from({ length: 100 }, () => backoffDelay(failures) / 2 ** failures);
    assert.ok(delays.every((delay) => delay >= 500 && delay <= 1000));
    assert.ok(new Set(delays).size > 1);
  }
  assert.equal(backoffDelay(9), 30_000);
});

test("a server that names a delay is asked after it, within what timers reach", () => {
  const delay = (text) => backoffDelay(0, { response: { headers: new Headers({ "Retry-After": text }) } });
  assert.equal(delay("120"), 120_000);
  assert.ok(delay("3000000") > 900_000_000 && delay("3000000") < 2 ** 31, "it is no delay at all");
  assert.ok(delay("Wed, 21 Oct 2026 07:28:00 GMT") <= 1000);
});

test("what does not load is loaded again, in Firefox from another address", async (context) => {
  context.mock.method(globalThis, "setTimeout", (resolve) => queueMicrotask(resolve));
  const url = new URL("../../Public/js/base/months.js", import.meta.url).href;
  for (const [message, expected] of [[`error loading dynamically imported module: ${url}`, 1], [`Failed to fetch dynamically imported module: ${url}`, 3]]) {
    let tries = 0;
    const found = await retryUntilLoaded(async () => {
      if (++tries < 3) throw new TypeError(message);
      return import(url);
    });
    assert.equal(typeof found.groupTitle, "function");
    assert.equal(tries, expected);
  }
});

test("a style sheet is requested again until the server has it, or says that it has none", async (context) => {
  context.mock.method(globalThis, "setTimeout", (resolve) => queueMicrotask(resolve));
  for (const [statuses, expected] of [[[503, 200], "p{top:calc(2*clamp(16px,1rem,32px))}"], [[404], ""]]) {
    context.mock.method(globalThis, "fetch", async () => new Response("p{top:2rem}", { status: statuses.shift() }));
    const replaceSync = context.mock.fn();
    await loadSheet({ replaceSync }, "card");
    assert.deepEqual(replaceSync.mock.calls[0].arguments, [expected]);
  }
});

/** Replaces `fetch`. Returns the requests, each with its `signal` and with `answer(body)`. */
function fetching(context) {
  const requests = [];
  context.mock.method(globalThis, "fetch", (url, { signal }) => new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    requests.push({ url, signal, answer: (body) => resolve({ ok: true, json: async () => body }) });
  }));
  return requests;
}

test("strips that ask for the same at the same time share one request, also while its answer is retained", async (context) => {
  const requests = fetching(context);
  let release;
  const retainUntil = new Promise((resolve) => (release = resolve));
  const ask = () => fetchJSON("window", { strip: "a", where: null, index: 3 }, undefined, retainUntil);
  const both = [ask(), ask()];
  assert.deepEqual(requests.map(({ url }) => url.replace(/.*\//, "")), ["window?strip=a&index=3"]);
  requests[0].answer({ count: 1 });
  assert.deepEqual(await Promise.all([...both, ask()]), [{ count: 1 }, { count: 1 }, { count: 1 }]);
  release();
  await new Promise(setImmediate);
  ask();
  assert.equal(requests.length, 2);
});

test("a shared request is aborted with its last user, and the next one sends another", async (context) => {
  const requests = fetching(context);
  const users = [new AbortController(), new AbortController()];
  const answers = users.map(({ signal }) => fetchJSON("window", { strip: "b" }, signal));
  users[0].abort();
  await assert.rejects(answers[0], { name: "AbortError" });
  assert.equal(requests[0].signal.aborted, false);
  users[1].abort();
  assert.equal(requests[0].signal.aborted, true);
  const next = fetchJSON("window", { strip: "b" });
  await assert.rejects(answers[1], { name: "AbortError" });
  assert.equal(requests.length, 2);
  requests[1].answer({ count: 2 });
  assert.deepEqual(await next, { count: 2 });
  await assert.rejects(fetchJSON("window", { strip: "e" }, users[0].signal), { name: "AbortError" });
  assert.equal(requests.length, 2, "the signal was aborted before");
});

test("the signal of a page keeps nothing of the requests that were answered", async (context) => {
  const requests = fetching(context);
  const { signal } = new AbortController();
  const answer = fetchJSON("window", { strip: "d" }, signal);
  assert.equal(getEventListeners(signal, "abort").length, 1);
  requests[0].answer({ count: 1 });
  await answer;
  await new Promise(setImmediate);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("an answer that is no JSON is an error with its response", async (context) => {
  const response = { ok: true, json: async () => JSON.parse("<html>") };
  context.mock.method(globalThis, "fetch", async () => response);
  await assert.rejects(fetchJSON("window", { strip: "c" }), (error) => error.response === response);
});
