import { expect, test } from "vitest";
import type { CastTable } from "../generated/wire";
import { placesOf, tableOf } from "./broadcast";

const table = (id: string, label: string, over = false, scores = [1, 3, 3, 2]): CastTable => ({
  id, online: true, label, round: null, delay_s: 60, hand_number: 0, honba: 0, deposits: 0, indicators: "", man: "all", wall_left: 70, over,
  seats: scores.map((score, wind) => ({ name: "", wind, score, riichi: false, turn: false })),
});

test("a broadcast shows the table that was asked for, and one that is played before one that is over", () => {
  const tables = [table("a", "1", true), table("b", "2"), table("c", "3")];
  expect([tableOf({ tables }, "")?.id, tableOf({ tables }, "3")?.id, tableOf({ tables }, "a")?.id, tableOf({ tables }, "9")]).toEqual(["b", "c", "a", null]);
});

test("places are shared", () => {
  expect(placesOf(table("a", "1"))).toEqual([4, 1, 1, 3]);
});
