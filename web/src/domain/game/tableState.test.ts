import { sample } from "$domain/sample";
import { expect, it } from "vitest";
import { handKey, isFirst, isFresh, sourceOf, type HandState } from "./tableState";

const hand = sample<HandState>({
  number: 0,
  honba: 0,
  dealer: 0,
  seats: [
    { river: [], melds: [], kita: 0 },
    { river: [], melds: [], kita: 0 },
  ],
});
const tile = { tile: "1m", drawn: false, riichi: false, called: false };

it("is fresh until the first discard, in a new game until the second turn", () => {
  const turns = (count: number): HandState["seats"] =>
    hand.seats.map((seat) => ({ ...seat, river: Array.from({ length: count }, () => tile) }));
  expect(isFresh({ ...hand, number: 1 })).toBe(true);
  expect(isFresh({ ...hand, number: 1, seats: turns(1) })).toBe(false);
  expect(isFresh({ ...hand, seats: turns(1) })).toBe(true);
  expect(isFresh({ ...hand, seats: turns(2) })).toBe(false);
});

it("stays fresh at the beginning of a game if the dealer sets a north aside", () => {
  const seats = hand.seats.map((seat, i) => ({ ...seat, kita: i === 0 ? 1 : 0 }));
  expect([isFresh({ ...hand, seats }), isFresh({ ...hand, number: 1, seats })]).toEqual([true, false]);
});

it("recognises the first hand of a game", () => {
  expect([isFirst(hand), isFirst({ ...hand, honba: 1 }), isFirst({ ...hand, number: 1 })]).toEqual([
    true,
    false,
    false,
  ]);
});

it("gives every hand its own key, even in a rematch", () => {
  expect(new Set([handKey(1, hand), handKey(2, hand), handKey(1, { ...hand, honba: 1 })]).size).toBe(3);
});

it.each([
  [0, "left", 4, 3],
  [0, "across", 4, 2],
  [3, "right", 4, 0],
  [0, "left", 3, 2],
  [1, null, 4, null],
] as const)(
  "finds the discarder of the tile that seat %i called from %s with %i players",
  (owner, from, count, seat) => {
    expect(sourceOf(owner, from, count)).toBe(seat);
  },
);
