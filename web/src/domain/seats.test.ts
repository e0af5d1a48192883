import { expect, test } from "vitest";
import { after, byPlace, seatsFrom, handInRound, lastHand, roundOf, seatsOf, sidesOf, windOf } from "./seats";

test.each([
  [3, 2, [2, 0, 1]],
  [4, 2, [2, 3, 0, 1]],
])("%i seats are listed in turn order from seat %i", (count, seat, around) => {
  expect(seatsFrom(seat, count)).toEqual(around);
  expect(after(count - 1, count)).toBe(0);
});

test("the dealer's seat is always East", () => {
  expect([0, 1, 2].map((seat) => windOf(seat, 1, 3))).toEqual([2, 0, 1]);
  expect([0, 1, 2, 3].map((seat) => windOf(seat, 1, 4))).toEqual([3, 0, 1, 2]);
});

test("a round has as many hands as there are seats", () => {
  expect([0, 2, 3, 8, 12].map((hand) => [roundOf(hand, 3), handInRound(hand, 3)])).toEqual([
    [0, 1],
    [0, 3],
    [1, 1],
    [2, 3],
    [0, 1],
  ]);
  expect([0, 3, 4, 15, 16].map((hand) => [roundOf(hand, 4), handInRound(hand, 4)])).toEqual([
    [0, 1],
    [0, 4],
    [1, 1],
    [3, 4],
    [0, 1],
  ]);
});

test("seats are sorted by place", () => {
  expect(byPlace([2, 3, 1])).toEqual([2, 0, 1]);
});

test.each([2, 3, 4])(
  "with %i players the next is on the right and the last on the left, or across if there are two",
  (count) => {
    const sides = sidesOf(count);
    expect(new Set(sides).size).toBe(seatsOf(count).length);
    expect([sides[0], sides[after(0, count)], sides.at(-1)]).toEqual([
      "below",
      ...(count === 2 ? ["above", "above"] : ["right", "left"]),
    ]);
  },
);

test("the last hand follows from the length of the game", () => {
  expect([lastHand("east", 4), lastHand("hanchan", 4), lastHand("hanchan", 3), lastHand("full", 4)]).toEqual([
    3, 7, 5, 15,
  ]);
});
