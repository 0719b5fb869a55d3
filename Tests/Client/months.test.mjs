import assert from "node:assert/strict";
import { test } from "node:test";
import { groupTitle, withYears } from "../../Public/js/base/months.js";
import { LocalizedFormatter } from "../../Public/js/language/fields.js";

const german = { lang: "de" };

test("the title of a group that is a month is in the reader's language", () => {
  const titles = ["2024-05", "0001-12", "2024-13", "0000-05", "1850", "Sea", undefined];
  assert.deepEqual(titles.map((title) => groupTitle(title, german)), ["Mai 2024", "Dezember 1", "2024-13", "0000-05", "1850", "Sea", ""]);
  assert.equal(groupTitle("2024-05", { parentNode: { lang: "fr" } }), "mai 2024");
});

test("a group that is a month is a month in a facet, too", () => {
  const formatter = new LocalizedFormatter({}, "de");
  assert.deepEqual(["2024-05", "2024", "2024-13", "Sea"].map((group) => formatter.format(group, "group")), ["Mai 2024", "2024", "2024-13", "Sea"]);
  assert.equal(formatter.format("2024-05", "size"), "2024-05");
});

test("groups that are months have the titles of their years", () => {
  const months = ["2024-02", "2024-01", "2023-12", undefined, "2023-11"].map((title, start) => ({ title, start }));
  assert.deepEqual(withYears(months), [{ title: "2024", start: 0 }, { title: "2023", start: 2 }, { title: undefined, start: 3 }, { title: "2023", start: 4 }]);
  const others = [{ title: "2024-02" }, { title: "Sea" }];
  assert.equal(withYears(others), others);
});
