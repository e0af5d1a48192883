import { expect, test } from "vitest";
import { fileName, numeric } from "./reportText";

test.each([
  ["BGM 마작 대회", "2026-11-25", "BGM 마작 대회 2026-11-25.png"],
  ['a/b\\c:d*?"<>|e', null, "a b c d e.png"],
  ["///", null, "jantaku.png"],
])("the file of %s is called by its event", (title, day, name) => expect(fileName(title, day, "png")).toBe(name));

test("columns of numbers are told from names", () => {
  const rows = [
    ["1", "▲2", "3", "+12.3", "−4.0", "12,000", "4.5%", "12 (60%)"],
    ["2", "–", "Kim 3", "−0.5", "", "300", "0.0%", "1,200 (4.5)"],
  ];
  expect(rows[0]?.map((_, column) => numeric(rows, column))).toEqual([true, true, false, true, true, true, true, true]);
});
