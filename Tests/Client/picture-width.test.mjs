import assert from "node:assert/strict";
import { test } from "node:test";
import { pictureWidth } from "../../Public/js/cards/template.js";

test("the width of a picture is one of few, and not below what is shown", () => {
  const widths = [160, 240, 320, 480, 640, 960, 1280, 1920, 2560];
  for (let px = 1; px < 3000; px += 0.5) assert.equal(pictureWidth(px), widths.find((width) => width >= px) ?? 2560);
});
