import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { startPlugin } from "../../Public/js/base/plugin.js";
import { pairing } from "../../Public/js/selection/pairing.js";

test("the paired strip selects the same item, in a loop its nearest copy", () => {
  const loop = { wrap: true, count: 50 };
  for (const [meta, current, expected] of [
    [{ count: 50 }, { index: 3 }, 45],
    [loop, { index: 40, lap: 4 }, 245],
    [loop, { index: 3, lap: 4 }, 195],
    [loop, { index: 48, lap: -1 }, -5],
    [loop, undefined, 45],
    [undefined, undefined, 45],
  ]) {
    const root = Object.assign(new EventTarget(), { getElementById: () => ({ selected: { id: "a", index: 45 } }) });
    const strip = { getRootNode: () => root, hooks: { option: new Set() }, option: () => "main", select: mock.fn(), meta, current };
    startPlugin(pairing, strip);
    assert.deepEqual(strip.select.mock.calls.map(({ arguments: [index] }) => index), [expected]);
  }
});
