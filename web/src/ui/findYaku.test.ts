import { expect, test } from "vitest";
import type { YakuCard } from "$generated/wire";
import { matching } from "./findYaku";

function yaku(id: string, name: string, names: Record<string, string>): YakuCard {
  return { id, name, names, worth: "", standard: "", definition: "", notes: [], example: null };
}

const GROUPS = [
  {
    title: "1 han",
    yaku: [
      yaku("pinfu", "Pinfu", { ja: "平和 (ピンフ)", ko: "핑후" }),
      yaku("tanyao", "Tanyao", { ja: "断么九", ko: "탕야오" }),
    ],
  },
  { title: "2 han", yaku: [yaku("toitoi", "Toitoi", { ja: "対々和", ko: "또이또이" })] },
];

test.each([
  ["", ["pinfu", "tanyao", "toitoi"]],
  ["PIN fu", ["pinfu"]],
  ["ピンフ", ["pinfu"]],
  ["또이", ["toitoi"]],
  ["ka", []],
])("“%s” finds yaku by any of their names", (typed, ids) => {
  const groups = matching(GROUPS, typed);
  expect(groups.flatMap((group) => group.yaku.map(({ id }) => id))).toEqual(ids);
  expect(groups.every((group) => group.yaku.length > 0)).toBe(true);
});
