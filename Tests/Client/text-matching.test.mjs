import assert from "node:assert/strict";
import test from "node:test";
import { matcher, words } from "../../Public/js/filters/text-matching.js";
import { cases } from "./cases.mjs";

for (const { text, words: expected } of cases("words")) {
  test(`${JSON.stringify(text)} has the words that it has on the server`, () => assert.deepEqual(words(text), expected));
}

for (const { q, texts } of cases("hits")) {
  test(`${JSON.stringify(q)} is marked in what the server finds`, () => {
    for (const text of texts) assert.notDeepEqual([...matcher(q)(text)], [], text);
  });
}

const marked = (q, text, corrected) => [...matcher(q, corrected)(text)].map(([start, end]) => text.slice(start, end));

test("a mark covers what stands in the text", () => {
  assert.deepEqual(marked("film ", "Fine ﬁlm"), ["ﬁlm"]);
  assert.deepEqual(marked("cafe ", "Un cafe\u0301!"), ["cafe\u0301"]);
  assert.deepEqual(marked("symphonie", "Sym­phonie"), ["Sym­phonie"]);
});

test("the words of a chain are marked, and the whole chain where none of them is", () => {
  assert.deepEqual(marked("wi-fi", "Wi-Fi router"), ["Wi", "Fi"]);
  assert.deepEqual(marked("wifi", "Wi-Fi router"), ["Wi-Fi"]);
  assert.deepEqual(marked("w", "Wi-Fi router"), ["Wi"]);
});

test("only what was searched is marked in a script without spaces", () => {
  assert.deepEqual(marked("夜景 東京 ", "東京タワーの夜景"), ["夜景", "東京"]);
  assert.deepEqual(marked("タワー", "東京タワーの夜景"), ["タワー"]);
});

test("other words of the server's answer are marked", () => {
  assert.deepEqual(marked("turnor ", "Turner, Turnor", [{ word: "turnor", to: ["turner"] }]), ["Turner", "Turnor"]);
});
