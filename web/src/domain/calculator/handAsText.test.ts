import { expect, test } from "vitest";
import { EMPTY } from "./calculatorState";
import { parseHand, formatHand } from "./handAsText";

test("tiles, calls and closed kans are parsed, with the winning tile last", () => {
  expect(parseHand("78s 345p (340m) [1111z] 9s")).toEqual({
    hand: ["3p", "4p", "5p", "7s", "8s", "9s"],
    melds: [
      { type: "chi", tiles: "340m", called: "3m", from: "left" },
      { type: "ankan", tiles: "1111z" },
    ],
  });
  expect(parseHand("123456789m1122z 3z")).toMatchObject({ hand: expect.arrayContaining(["3z"]) });
  const complete = parseHand("9m12345678m11122z");
  expect("hand" in complete && complete.hand.at(-1)).toBe("2z");
});

test.each([
  ["１２３ｍ", "123m"],
  ["123萬", "123m"],
  ["5만0통", "5m0p"],
  ["東東發", "1z1z6z"],
  ["동동발", "1z1z6z"],
  ["3r5rs", "3rs0s"],
  ["", ""],
])("%s means the same as %s", (text, same) => {
  const reading = parseHand(text);
  expect("hand" in reading && reading.hand.join("")).toBe(
    "hand" in parseHand(same) && (parseHand(same) as { hand: string[] }).hand.join(""),
  );
  expect(reading).not.toHaveProperty("problem");
});

test.each([
  ["123", "calc.typed_notation"],
  ["8z", "calc.typed_notation"],
  ["123m)", "calc.typed_notation"],
  ["(123m", "calc.typed_notation"],
  ["0z", "calc.typed_notation"],
  ["x", "calc.typed_notation"],
  ["(124m)", "calc.typed_meld"],
  ["(567z)", "calc.typed_meld"],
  ["(891m)", "calc.typed_meld"],
  ["[111m]", "calc.typed_meld"],
  ["()", "calc.typed_meld"],
  ["111112m", "calc.typed_fifth"],
  ["11m(111m)", "calc.typed_fifth"],
  ["123456789m123456p", "calc.typed_many"],
  ["123456789m123p(111z)", "calc.typed_many"],
])("%s is rejected with %s", (text, problem) => {
  expect(parseHand(text)).toMatchObject({ problem });
});

test.each(["123m406p", "1112345678999m 5m", "34p 0s (055p) (067m) [1111z]", "22z 3s (340s) (0555p)"])(
  "%s survives a round trip",
  (text) => {
    const reading = parseHand(text);
    if ("problem" in reading) expect.fail(reading.problem);
    expect(parseHand(formatHand({ ...EMPTY, ...reading }))).toEqual(reading);
  },
);
