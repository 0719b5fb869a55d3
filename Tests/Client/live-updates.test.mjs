import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { startPlugin } from "../../Public/js/base/plugin.js";
import { liveUpdates } from "../../Public/js/windows/live-updates.js";

let opened; // the streams
class Stream extends EventTarget {
  constructor(address) {
    super();
    this.names = new URL(address).searchParams.get("strips").split(",");
    opened.push(this);
  }

  close() {
    opened = opened.filter((one) => one !== this);
  }
}
const globals = { EventSource: Stream, document: Object.assign(new EventTarget(), { hidden: false }), navigator: {} }; // without locks
for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true });
beforeEach(() => (opened = []));

/** Live strips of these names. Returns them, and a function that stops them. */
function follow(context, names) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const strips = names.map((name) => Object.assign(new EventTarget(), { localName: "carousel-strip", hooks: { option: new Set() }, option: () => "", meta: { strip: name } }));
  const stops = strips.map((strip) => startPlugin(liveUpdates, strip));
  context.after(() => {
    for (const stop of stops) stop();
    context.mock.timers.tick(1000);
  });
  for (const delay of [0, 1000]) context.mock.timers.tick(delay);
  return strips;
}

test("a stream follows up to 64 strips, and more streams follow the others", (context) => {
  const names = Array.from({ length: 65 }, (_, k) => `s${k}`);
  follow(context, [...names, "s3"]);
  assert.deepEqual(opened.map((stream) => stream.names.length), [64, 1]);
  assert.deepEqual(opened.flatMap((stream) => stream.names), names.sort());
});

test("a strip that is missing is not followed until it is there, and its error stays the page's", (context) => {
  const [strip] = follow(context, ["s", "t"]);
  const follows = (type, detail) => {
    const isKept = strip.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), { detail }));
    context.mock.timers.tick(1000);
    return [isKept, opened.flatMap((stream) => stream.names)];
  };
  assert.deepEqual(follows("error", { status: 503 }), [true, ["s", "t"]]);
  assert.deepEqual(follows("error", { status: 404, parameter: "strip" }), [true, ["t"]]);
  assert.deepEqual(follows("reload"), [true, ["s", "t"]]);
});

test("a reload ends before the next one starts, and looks for the newest revision then", (context) => {
  const [strip] = follow(context, ["s"]);
  const requested = [];
  Object.assign(strip, { meta: { strip: "s", revision: 1 }, isNearViewport: true, mayRequest: true, reload: (revision) => requested.push(revision) && (strip.isReloading = true) });
  const tell = (revision) => {
    opened[0].dispatchEvent(Object.assign(new Event("revision"), { data: JSON.stringify({ strip: "s", revision }) }));
    context.mock.timers.tick(1000);
  };
  for (const revision of [2, 3, 4]) tell(revision);
  assert.deepEqual(requested, [2]);
  Object.assign(strip, { meta: { strip: "s", revision: 2 }, isReloading: false });
  strip.dispatchEvent(new Event("reload"));
  context.mock.timers.tick(1000);
  assert.deepEqual(requested, [2, 4]);
  strip.isReloading = false; // it has failed
  tell(5);
  strip.isNearViewport = false; // it has left the screen, and requests nothing
  tell(6);
  assert.deepEqual(requested, [2, 4, 5, 6]);
});
