import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";
import { FakeElement, createPage } from "./dom.mjs";

mock.timers.enable({ apis: ["setTimeout"] }); // a window is kept for some time
let requested; // the queries of windows
let custom; // the custom properties of strips
const upgraded = [];
const document = createPage({
  ...{ innerHeight: 800, addEventListener() {}, CSSStyleSheet: class { replaceSync() {} }, customElements: { get() {}, upgrade: (strip) => upgraded.push(strip) } },
  getComputedStyle: () => ({ paddingInlineStart: "10px", getPropertyValue: (name) => custom[name] ?? "" }),
  async fetch(url) {
    const { pathname, search } = new URL(url);
    if (pathname.endsWith("/window")) requested.push(search);
    return { ok: true, text: async () => "", json: async () => ({ items: [] }) };
  },
});
const { addStubs, drawFirstWindow, removeStubs, replay } = await import("../../Public/js/element/first-window.js");

class Strip extends FakeElement {
  clientWidth = 1000;
  top = 0;
  called = [];
  getBoundingClientRect = () => ({ top: this.top, bottom: this.top + 200 });
  matches = () => this.hasAttribute("snap");

  get attributes() {
    return this.getAttributeNames().map((name) => ({ name }));
  }

  scrollTo(place) {
    this.called.push(place);
    return place.index.toFixed();
  }

  select() {
    this.called.push("select");
  }
}

beforeEach(() => {
  [requested, custom] = [[], {}];
});

/** A strip in the page with these attributes and members. */
function stripOf(attributes, members) {
  const strip = Object.assign(new Strip("carousel-strip"), members);
  for (const [name, value] of Object.entries(attributes)) strip.setAttribute(name, value);
  document.body.append(strip);
  for (const prepare of [addStubs, drawFirstWindow]) prepare(strip);
  return strip;
}

test("a plain strip near the screen requests its first window as the element does", () => {
  const place = "pool=1792&width=1792&offset=0"; // for the viewport without its padding
  for (const [attributes, members, expected] of [
    [{ strip: "albums", class: "wide", "aria-label": "Albums" }, {}, [`?strip=albums&${place}`]],
    [{ strip: "albums", q: "blue", height: "90", controls: "dots" }, {}, [`?strip=albums&q=blue&height=90&${place}`]],
    [{ strip: "below" }, { top: 1300 }, [`?strip=below&${place}`]],
    [{ strip: "albums" }, { top: 1500 }, []],
    [{ strip: "albums" }, { clientWidth: 0 }, []],
    [{ strip: "albums" }, { querySelector: (names) => names.includes("template") && new FakeElement("template") }, []],
    ...["layout", "initial-index", "inset", "loop", "snap", "history", "data-window"].map((name) => [{ strip: "albums", [name]: "1" }, {}, []]),
    [{}, {}, []],
  ]) {
    removeStubs();
    replay();
    stripOf(attributes, members);
    assert.deepEqual(requested.splice(0), expected, JSON.stringify([attributes, members]));
  }
  custom["--strip-height"] = "100";
  stripOf({ strip: "albums" });
  assert.deepEqual(requested, []);
});

test("calls before the element is defined are repeated in order, and what one throws is for its caller", async () => {
  const strip = stripOf({});
  const calls = [strip.scrollTo({}), strip.select(3), strip.scrollTo({ index: 30 })];
  assert.deepEqual(strip.called, []);
  removeStubs();
  assert.equal(Object.hasOwn(strip, "scrollTo"), false);
  replay();
  assert.deepEqual([strip.called, upgraded.includes(strip)], [[{}, "select", { index: 30 }], true]);
  assert.deepEqual((await Promise.allSettled(calls)).map(({ status, value }) => [status, value]), [["rejected", undefined], ["fulfilled", undefined], ["fulfilled", "30"]]);
});

test("the last tap on a card is repeated once", () => {
  const strip = stripOf({});
  const taps = [];
  const clicks = [1, 2].map((detail) => Object.assign(new Event("click"), { detail }));
  for (const click of clicks) strip.dispatchEvent(click);
  removeStubs();
  strip.dispatchEvent(new Event("click")); // the element hears it
  for (let k = 0; k < 2; k += 1) replay((...tap) => taps.push(tap));
  assert.deepEqual(taps, [[strip, [strip], clicks[1]]]);
});
