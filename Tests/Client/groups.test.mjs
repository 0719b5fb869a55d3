import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { observeGroups } from "../../Public/js/axes/groups.js";

const GROUPS = { groups: [{ title: "1959", first: 0, end: 2, start: 0 }] };

/** A strip, the groups that it shows, and a function that draws it. */
function following(request) {
  const told = [];
  let show;
  const strip = { meta: { strip: "s", revision: 1 }, axis: {}, isOnScreen: true, isConnected: true, fetchJSON: mock.fn(request), emit: mock.fn(), requestDraw: () => show() };
  observeGroups(strip, (type, listener) => (show = listener), (groups) => told.push(groups.map(({ title }) => title)));
  return { strip, told, draw: () => show() };
}

const settled = () => new Promise(setImmediate);

test("groups that the server could not send are requested again while the strip is at rest", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let failures = 2;
  const { strip, told, draw } = following(async () => {
    if (failures-- > 0) throw { status: 503 };
    return GROUPS;
  });
  draw();
  for (let k = 0; k < 3; k += 1) {
    await settled();
    context.mock.timers.tick(2000); // the first delays are below 2 s
  }
  await settled();
  assert.deepEqual(told, [["1959"]]);
  assert.equal(strip.fetchJSON.mock.callCount(), 3);
});

test("the failure of an earlier request leaves the later answer alone", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const answers = [];
  const { strip, told, draw } = following(() => new Promise((resolve, fail) => answers.push({ resolve, fail })));
  draw();
  strip.meta.revision = 2;
  draw();
  answers[0].fail({ status: 503 });
  await settled();
  context.mock.timers.tick(500);
  answers[1].resolve(GROUPS);
  await settled();
  assert.deepEqual(told, [["1959"]]);
  assert.equal(strip.fetchJSON.mock.callCount(), 2);
});

for (const [status, requests, events] of [[429, 2, []], [404, 1, []], [410, 1, ["error"]]]) {
  test(`groups are ${requests > 1 ? "" : "not "}requested again after ${status}${events[0] ? ": the strip reloads, and keeps the former ones" : ""}`, async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    let failures = 1;
    const { strip, told, draw } = following(async () => {
      if (failures-- > 0) throw { status };
      return GROUPS;
    });
    draw();
    await settled();
    context.mock.timers.tick(2000);
    await settled();
    assert.equal(strip.fetchJSON.mock.callCount(), requests);
    assert.deepEqual(told, events[0] ? [] : [requests > 1 ? ["1959"] : []]);
    assert.deepEqual(strip.emit.mock.calls.map(({ arguments: [type] }) => type), events); // `retry` reloads it
  });
}

test("a strip that was removed requests its groups no more", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { strip, draw } = following(async () => {
    throw { status: 503 };
  });
  draw();
  await settled();
  strip.isConnected = false;
  for (let k = 0; k < 3; k += 1) {
    context.mock.timers.tick(4000);
    await settled();
  }
  assert.equal(strip.fetchJSON.mock.callCount(), 2); // the one that was waiting
});
