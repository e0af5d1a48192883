import { sample } from "$domain/sample";
import { expect, it } from "vitest";
import type { GameReview, View } from "$generated/wire";
import { calculatorOf } from "./replay";
import { type Decision, lossOf, mistakesOf } from "./reviewFigures";

function decision(step: number, verdict: Decision["verdict"], loss: number): Decision {
  return sample<Decision>({ step, verdict, compared: sample<NonNullable<Decision["compared"]>>({ loss }) });
}

it("lists the costliest mistakes first, and nothing that is not clear", () => {
  const decisions = [decision(1, "mistake", 400), decision(2, "unclear", 900), decision(3, "mistake", 700)];
  const review = sample<GameReview>({ review: sample<GameReview["review"]>({ decisions }) });
  expect(mistakesOf(review).map((one) => [one.step, lossOf(one)])).toEqual([
    [3, 700],
    [1, 400],
  ]);
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
