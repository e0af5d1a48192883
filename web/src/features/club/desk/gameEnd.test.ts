import { expect, test } from "vitest";
import { chipSum, emptyEnd, endOf, prizesOf } from "./gameEnd";

const FOUR = { start: 25000, stick: 1000, leftover: "first" } as const;
const scores = ["40,000", "30000", "20000", "10000"];

test("the points alone are sent under rules without chips and yakitori", () => {
  expect(endOf({ ...emptyEnd(4), scores }, { ...FOUR, chips: 0, yakitori: 0 })).toEqual({
    scores: [40000, 30000, 20000, 10000],
  });
});

test("chips and seats without a win go with the points", () => {
  const draft = { scores, chips: ["3", "", "▲1", "−2"], noWin: [false, false, false, true] };
  expect(endOf(draft, { ...FOUR, chips: 1000, yakitori: 3000 })).toEqual({
    scores: [40000, 30000, 20000, 10000],
    chips: [3, 0, -1, -2],
    no_win: [3],
  });
  expect(endOf({ ...draft, noWin: [false, false, false, false] }, { ...FOUR, chips: 0, yakitori: 3000 })).toMatchObject(
    { no_win: [] },
  );
});

test("chips that do not add up, or are no numbers, are not sent", () => {
  const rules = { chips: 1000, yakitori: 0 };
  const uneven = { ...emptyEnd(4), scores, chips: ["1", "", "", ""] };
  expect([chipSum(uneven), endOf(uneven, { ...FOUR, ...rules })]).toEqual([1, null]);
  const words = { ...uneven, chips: ["x", "", "", ""] };
  expect([chipSum(words), endOf(words, { ...FOUR, ...rules })]).toEqual([null, null]);
});

test("a form can say what the rules need before it is filled in", () => {
  expect([
    prizesOf({ chips: 0, yakitori: 0 }),
    prizesOf({ chips: 1, yakitori: 0 }),
    prizesOf({ chips: 0, yakitori: 1 }),
    prizesOf({ chips: 1, yakitori: 1 }),
  ]).toEqual([null, "chips", "yakitori", "both"]);
});
