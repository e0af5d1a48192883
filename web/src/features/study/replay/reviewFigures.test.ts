import { sample } from "$domain/sample";
import { describe, expect, it } from "vitest";
import type { DecisionReview, View } from "$generated/wire";
import { calculatorOf } from "./replay";
import { agreement, SIGNIFICANT, largest, pointsLost } from "./reviewFigures";

function decision(step: number, more: Partial<DecisionReview>): DecisionReview {
  const tile = { type: "discard", tile: "1m" } as const;
  return {
    step,
    event: step,
    hand: 0,
    kind: "discard",
    played: tile,
    best: tile,
    same: true,
    loss: 0,
    played_numbers: null,
    best_numbers: null,
    ...more,
  };
}

const DECISIONS = [
  decision(1, {}),
  decision(2, { same: false, loss: 400 }),
  decision(3, { same: false, loss: SIGNIFICANT - 1 }),
  decision(4, { same: false, loss: 900 }),
  decision(5, { kind: "call", same: false, loss: null }),
];

describe("the review of a seat", () => {
  it("counts the decisions that agree with the bot, by kind", () => {
    expect(agreement(DECISIONS, "discard")).toEqual({ same: 1, all: 4 });
    expect(agreement(DECISIONS, "call")).toEqual({ same: 0, all: 1 });
  });
  it("lists the largest losses first and omits insignificant ones", () => {
    expect(largest(DECISIONS, "points").map((loss) => loss.step)).toEqual([4, 2]);
    expect(largest(DECISIONS, "logit").map((loss) => loss.step)).toEqual([4, 2, 3]);
    expect(largest(DECISIONS, "points", 1)).toHaveLength(1);
    expect(pointsLost(DECISIONS)).toBe(400 + SIGNIFICANT - 1 + 900);
  });
});

it("opens the calculator with the hand of the seat, its winds and the rules", () => {
  const view = sample<View>({
    seat: 2,
    round: "south",
    number: 5,
    dealer: 1,
    honba: 1,
    deposits: 2,
    kita: [0, 0, 3, 0],
    scores: [1, 2, 3, 4],
    indicators: ["1z"],
    hand: "123m",
    drawn: "4m",
    melds: [[], [], [{ type: "pon", tiles: "555z", called: "5z", from: "left" }], []],
    riichi: [null, null, null, null],
  });
  const url = new URL(calculatorOf(view, 2, "tenhou"), "http://x");
  expect(url.pathname).toBe("/calc");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    hand: "1234m (555z)",
    dora: "1z",
    by: "tsumo",
    round: "south",
    honba: "1",
    deposits: "2",
    rules: "tenhou",
  });
  expect(url.searchParams.get("seat")).toBeNull(); // south is the default
});
