import { describe, expect, it } from "vitest";
import type { Won } from "$generated/wire";
import { familyOf, longestOf, planOf, rankOf, RANKS } from "./winScenePlan";

function score(yaku: Record<string, number>, limit: Won["score"]["limit"] = null, yakuman = 0): Won["score"] {
  return { han: 5, fu: 30, yakuman, limit, points: 8000, yaku, fu_items: {}, payments: {}, counted_as: null };
}

describe("the strength of a scene", () => {
  it("follows the limit", () => {
    expect(RANKS.map((rank) => rankOf(score({}, rank === "plain" ? null : (rank as "mangan"))))).toEqual(RANKS);
    expect(rankOf(score({ daisangen: 13 }, "yakuman", 1))).toBe("yakuman");
    expect(rankOf(score({ daisangen: 13, tsuuiisou: 13 }, null, 2))).toBe("yakuman");
  });

  it("grows in time with the hand", () => {
    const ends = RANKS.map(
      (rank) => planOf({ score: score({ riichi: 1 }, rank === "plain" ? null : (rank as "mangan")), ura: [] }).end,
    );
    expect(ends).toEqual([...ends].sort((one, other) => one - other));
    expect(ends[0]).toBeLessThan(3000); // no longer than hands laid open and named before
  });

  it("stays within the pause of a hand however much there is to tell", () => {
    const yaku = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`yaku_${i}`, 1]));
    expect(planOf({ score: score({ ...yaku, ura_dora: 4 }, "yakuman", 1), ura: [1, 2, 3, 4, 5] }).end).toBeLessThan(
      10_000,
    );
  });
});

describe("the family of a yakuman", () => {
  it.each([
    ["daisangen", "dragons"],
    ["daisuushii", "winds"],
    ["kokushi_juusanmen", "orphans"],
    ["suuankou_tanki", "triplets"],
    ["own_red_peacock", "fireworks"],
  ])("%s has %s", (yaku, family) => {
    expect(familyOf(score({ [yaku]: 13 }, "yakuman", 1))).toBe(family);
  });

  it("is fireworks where han add up to one", () => {
    expect(familyOf(score({ riichi: 1, chinitsu: 6 }, "yakuman"))).toBe("fireworks");
  });
});

describe("nothing is seen before its time", () => {
  it("tells ura dora after their indicators are turned", () => {
    const { yaku, ura, fu, value, points, end } = planOf({
      score: score({ ura_dora: 2, riichi: 1, dora: 1 }),
      ura: [1, 2],
    });
    expect(yaku.map((struck) => struck.yaku)).toEqual(["riichi", "dora", "ura_dora"]);
    const times = [yaku[0]?.at, yaku[1]?.at, ...ura, yaku[2]?.at, fu, value, points, end].map(Number);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(new Set(times.slice(0, 5)).size).toBe(5);
  });
});

it.each([
  ["大三元", 3],
  ["Four kans", 4 * 0.68],
])("letters of %s are as large as its longest word allows", (words, wide) => {
  expect(longestOf(words)).toBeCloseTo(wide);
});
