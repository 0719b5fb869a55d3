import assert from "node:assert/strict";
import test from "node:test";
import { sourcesOf } from "../../Public/js/language/fields.js";
import { PLACEHOLDER, fill, interpolate, isShown, pictureWidth, valueOf } from "../../Public/js/cards/template.js";
import { safeURL } from "../../Public/js/server/links.js";
import { SERVER } from "../../Public/js/server/requests.js";
import { cases } from "./cases.mjs";

const { fields, cases: placeholders } = cases("placeholders");

for (const { attribute, pattern, value } of placeholders) {
  test(`${attribute}="${pattern}" is filled as on the server`, () => {
    const isURL = value && /^(href|cite|poster)$/i.test(attribute);
    const isSources = /^srcset$/i.test(attribute);
    const filled = isSources ? sourcesOf(pattern, fields, null, { PLACEHOLDER, isShown, safeURL, valueOf }) || null : valueOf(attribute, pattern, fields) ?? null;
    const sources = !isSources ? null : value?.split(", ").map((one) => one.replace(/^\S+/, (url) => new URL(url, SERVER).href));
    assert.equal(filled, sources?.join(", ") ?? (isURL ? new URL(value, SERVER).href : value));
  });
}

test("a pattern of a single placeholder is undefined without its field", () => {
  assert.equal(interpolate("{image}", {}), undefined);
  assert.equal(interpolate("{image}", { image: "a.svg" }), "a.svg");
  assert.equal(interpolate("{hasOwnProperty}", { hasOwnProperty: "of a table" }), "of a table");
});

test("a field with a format is as in the data until it is written in the format", () => {
  const pattern = "{year|number} {title}, {x|date}";
  assert.equal(interpolate(pattern, fields), "1971 Blue, ");
  assert.equal(interpolate(pattern, fields, (value, name, format) => `${name} ${format} ${value}`), "year number 1971 Blue, ");
});

test("a color is a color of the server", () => {
  for (const { color, isColor } of cases("colors")) assert.equal(interpolate("{color}", { color }), isColor ? color : undefined, color);
});

test("the picture of a row is as wide as its card, whatever its height is", () => {
  for (const [item, made] of [[{ size: 120, width: 594 }, 640], [{ size: 120 }, 160]]) {
    const node = { removeAttribute() {} };
    fill([{ node, name: "src", value: "{image}" }], { ...item, fields: { image: "/p/{w}" } });
    assert.match(String(node.srcset), new RegExp(`/p/${made} 1x`));
  }
});

test("the width of a picture is one of few, and not below what is shown", () => {
  for (let px = 1; px < 3000; px += 0.5) assert.equal(pictureWidth(px), [160, 240, 320, 480, 640, 960, 1280, 1920, 2560].find((width) => width >= px) ?? 2560);
});
