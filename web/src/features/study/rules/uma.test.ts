import { expect, test } from "vitest";
import type { Option } from "./options";
import { FLOATING_UMA, forPlayers, umaFor } from "./uma";

test("uma for another number of players keeps the ends", () => {
  expect(umaFor([30000, 10000, -10000, -30000], 3)).toEqual([30000, 0, -30000]);
  expect(umaFor([20000, 0, -20000], 4)).toEqual([20000, 0, 0, -20000]);
  expect(umaFor([20000, 0, -20000], 3)).toEqual([20000, 0, -20000]);
});

test("a table by place has a column for each place", () => {
  const option: Option = {
    path: FLOATING_UMA,
    label: "",
    about: "",
    part: { "x-columns": ["1", "2", "3", "4"], "x-rows": ["a", "b", "c"] },
  };
  expect(forPlayers(option, 3).part).toEqual({ "x-columns": ["1", "2", "3"], "x-rows": ["a", "b"] });
  const other = { ...option, path: "match.sticks" };
  expect(forPlayers(other, 3)).toBe(other);
});
