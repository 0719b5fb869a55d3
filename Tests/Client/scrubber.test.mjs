import assert from "node:assert/strict";
import test from "node:test";
import { createPage } from "./dom.mjs";

createPage();
const { placeTitles } = await import("../../Public/js/controls/scrubber.js");

const ROOM = 96;

test("titles stand at the starts of their groups where these have room", () => {
  assert.deepEqual([...placeTitles([0, 100, 250, 600], 1000, ROOM)].sort(), [[0, 0], [1, 100], [2, 250], [3, 600]]);
  assert.deepEqual([...placeTitles([0, 40, 120], 1000, ROOM)].sort(), [[0, 0], [2, 120]], "the first group and the largest ones come first");
  assert.deepEqual([...placeTitles([0, 60], 1000, ROOM)].sort(), [[0, 0], [1, 96]], "later in its group");
  assert.deepEqual([...placeTitles([0, 970], 1000, ROOM)], [[0, 0]], "not at the end");
  assert.deepEqual([...placeTitles([], 1000, ROOM)], []);
});

test("titles of many groups are thinned as on a map: each has room, and no large stretch is without one", () => {
  for (const count of [2, 7, 50, 362, 2500]) {
    const sizes = Array.from({ length: count }, (_, k) => 1 + ((k * 7919) % 5));
    const total = sizes.reduce((sum, size) => sum + size);
    const starts = sizes.map((_, k) => (1000 * sizes.slice(0, k).reduce((sum, size) => sum + size, 0)) / total);
    const places = [...placeTitles(starts, 1000, ROOM)].sort(([one], [other]) => one - other);
    assert.deepEqual(places[0], [0, 0]);
    for (const [n, [k, place]] of places.entries()) {
      const next = places[n + 1]?.[1] ?? 1000 + ROOM / 2;
      assert.ok(place >= starts[k] && next - place >= ROOM && (count < 50 || next - place < 3 * ROOM), `${count}: ${place}, ${next}`);
    }
  }
});
