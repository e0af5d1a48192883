import { expect, test } from "vitest";
import { chipSum, emptyEnd, endOf, missingScore, checkScores, parsePoints } from "./gameEnd";

const FOUR = { start_points: 25000, stick: 1000, leftover: "first", chips: 0, yakitori: 0 } as const;
const scores = ["40,000", "30000", "20000", "10000"];

test("only points are sent under rules without chips and yakitori", () => {
  expect(endOf({ ...emptyEnd(4), scores }, FOUR)).toEqual({
    scores: [40000, 30000, 20000, 10000],
  });
});

test("chips and seats without a win are sent with the points", () => {
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

test("chips that do not add up or are not numbers are not sent", () => {
  const rules = { chips: 1000, yakitori: 0 };
  const uneven = { ...emptyEnd(4), scores, chips: ["1", "", "", ""] };
  expect([chipSum(uneven), endOf(uneven, { ...FOUR, ...rules })]).toEqual([1, null]);
  const words = { ...uneven, chips: ["x", "", "", ""] };
  expect([chipSum(words), endOf(words, { ...FOUR, ...rules })]).toEqual([null, null]);
});

test("points are read in the usual notations", () => {
  expect(["25,000", "２５０００", " -1200 ", "▲1,200", "12.500", "x", ""].map(parsePoints)).toEqual([
    25000,
    25000,
    -1200,
    -1200,
    12500,
    null,
    null,
  ]);
});

test("points must add up, except for unclaimed riichi deposits", () => {
  expect(checkScores(["30000", "30000", "20000", "20000"], FOUR)).toMatchObject({ missing: 0, fits: true });
  expect(checkScores(["30000", "30000", "20000", "19000"], FOUR)).toMatchObject({ missing: 1000, fits: true });
  expect(checkScores(["30000", "30000", "20000", "19500"], { ...FOUR, stick: 500 })).toMatchObject({
    missing: 500,
    fits: true,
  });
  expect(checkScores(["30000", "30000", "20000", "19500"], FOUR)).toMatchObject({ missing: 500, fits: false });
  expect(checkScores(["30000", "30000", "20000", "19000"], { ...FOUR, leftover: "riichi_owner" })).toMatchObject({
    missing: 1000,
    fits: false,
  });
  expect(checkScores(["30000", "30000", "20000", "20100"], FOUR)).toMatchObject({ missing: -100, fits: false });
  expect(checkScores(["30000", "30000", "20000", ""], FOUR)).toMatchObject({ missing: 20000, fits: false });
  expect([missingScore(["30000", "30000", "20000", ""], FOUR), missingScore(["", "", "1", "2"], FOUR)]).toEqual([
    20000,
    null,
  ]);
});

test("invalid numbers are refused instead of counting as zero", () => {
  expect(["-20,000", "0", " 12.500 "].map(parsePoints)).toEqual([-20000, 0, 12500]);
  for (const text of ["", "abc", "12x", "1e5", "--5"]) expect(parsePoints(text)).toBeNull();
});

test("points in hundreds are multiplied if only that adds up", () => {
  const read = (...texts: string[]): [(number | null)[], boolean] => [
    checkScores(texts, FOUR).scores,
    checkScores(texts, FOUR).fits,
  ];
  expect(read("400", "300", "200", "100")).toEqual([[40000, 30000, 20000, 10000], true]);
  expect(read("410", "300", "200", "80")).toEqual([[41000, 30000, 20000, 8000], true]); // an unclaimed riichi deposit
  expect(read("40000", "30000", "20000", "10000")).toEqual([[40000, 30000, 20000, 10000], true]);
  expect(read("400", "300", "200", "111")).toEqual([[40000, 30000, 20000, 11100], false]); // the difference is in points
  expect(checkScores(["400", "300", "200", "111"], FOUR).missing).toBe(-1100);
  expect(checkScores(["40000", "30000", "20000", "1000"], FOUR).missing).toBe(9000);
  expect(read("400", "300", "200", "")[1]).toBe(false);
});
