import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { callHook, startPlugin, withOption } from "../../Public/js/base/plugin.js";

const create = (meta) => Object.assign(new EventTarget(), { meta, hooks: { afterRender: new Set(), motionEnd: new Set(), option: new Set(), snap: new Set() } });

/** Starts a plugin of a strip for each answer. They note their calls, and return the answers. */
function run(strip, ...answers) {
  const called = [];
  const stops = answers.map((answer, k) => startPlugin((_, on) => {
    for (const hook of ["motionEnd", "snap"]) on(hook, (value) => (called.push([k, value]), answer));
  }, strip));
  return { called, stops };
}

test("a hook that asks ends at the first plugin that returns true, and no answer ends another one", () => {
  for (const [hook, answer, calls] of [["snap", true, 3], ["motionEnd", undefined, 4]]) {
    const strip = create();
    const { called } = run(strip, undefined, 1, true, undefined);
    assert.equal(callHook(strip, hook, "now"), answer);
    assert.deepEqual(called, [0, 1, 2, 3].slice(0, calls).map((k) => [k, "now"]));
  }
});

test("a plugin that has stopped is called no more, also while a hook runs", () => {
  const strip = create();
  let stops = [];
  startPlugin((_, on) => on("motionEnd", () => stops[1]?.()), strip);
  const { called, ...rest } = run(strip, undefined, undefined);
  ({ stops } = rest);
  callHook(strip, "motionEnd");
  assert.deepEqual(called, [[0, undefined]]);
});

test("a hook is no event, and a plugin that has stopped adds no listener", () => {
  const strip = create();
  const { called } = run(strip, undefined);
  strip.dispatchEvent(new Event("motionEnd"));
  assert.deepEqual(called, []);
  let add;
  startPlugin((_, on) => (add = on) && undefined, strip)();
  add("motionEnd", () => assert.fail("it has stopped"));
  callHook(strip, "motionEnd");
  assert.deepEqual(called, [[0, undefined]]);
});

test("a plugin shows a strip at once that is already drawn", () => {
  for (const meta of [null, {}]) {
    let shown = 0;
    startPlugin((_, on) => on("afterRender", () => (shown += 1)), create(meta));
    assert.equal(shown, meta ? 1 : 0);
  }
});

test("a plugin of an option runs while the strip has it, and starts again with another value", () => {
  const told = [];
  const values = { snap: null, step: "item" };
  const strip = Object.assign(create(), { option: (name) => values[name] });
  const set = (name, value) => {
    values[name] = value;
    callHook(strip, "option", name);
  };
  const stop = startPlugin(withOption("snap", (_, on, value) => (told.push(value), () => told.push(`not ${value}`))), strip);
  for (const value of ["start", "end", null]) set("snap", value);
  set("step", null);
  set("snap", "");
  stop();
  set("snap", "start");
  assert.deepEqual(told, ["start", "not start", "end", "not end", "", "not "]);
});

test("a listener that is added while a hook runs is not called by it", () => {
  const strip = create();
  let calls = 0;
  startPlugin((_, on) => on("motionEnd", () => on("motionEnd", () => (calls += 1))), strip);
  callHook(strip, "motionEnd");
  assert.equal(calls, 0);
  callHook(strip, "motionEnd");
  assert.equal(calls, 1);
});

test("a listener that throws is reported, and the others are called", () => {
  globalThis.reportError = mock.fn();
  const strip = create();
  const fault = new Error("of a page");
  startPlugin((_, on) => on("motionEnd", () => {
    throw fault;
  }), strip);
  const { called } = run(strip, undefined);
  callHook(strip, "motionEnd");
  assert.deepEqual(called, [[0, undefined]]);
  assert.deepEqual(reportError.mock.calls.map(({ arguments: [error] }) => error), [fault]);
});

test("a plugin that throws as it starts or stops does not end the others", (context) => {
  const reported = [];
  globalThis.reportError = (error) => reported.push(error.message);
  context.after(() => delete globalThis.reportError);
  const fail = (when) => {
    throw new Error(when);
  };
  const called = [];
  const plugins = [() => fail("start"), () => () => fail("stop"), () => () => called.push("stopped")];
  for (const stop of plugins.map((plugin) => startPlugin(plugin, create()))) stop();
  assert.deepEqual(called, ["stopped"]);
  assert.deepEqual(reported, ["start", "stop"]);
});
