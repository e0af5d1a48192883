import { expect, test } from "vitest";
import { isNumeric } from "./reportText";

test("numeric columns are recognised", () => {
  const rows = [
    ["1", "▲2", "3", "+12.3", "−4.0", "12,000", "4.5%", "12 (60%)"],
    ["2", "–", "Kim 3", "−0.5", "", "300", "0.0%", "1,200 (4.5)"],
  ];
  expect(rows[0]?.map((_, column) => isNumeric(rows, column))).toEqual([
    true,
    true,
    false,
    true,
    true,
    true,
    true,
    true,
  ]);
});
