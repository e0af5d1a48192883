// Seats around the table. The number of seats comes from the game; no other module counts them.

export const MAX_SEATS = 4;
export const PLAYERS = [4, 3] as const; // values of `match.players`
export const WINDS = ["east", "south", "west", "north"] as const;

export function seatsOf(count: number): number[] {
  return Array.from({ length: count }, (_, seat) => seat);
}

export function after(seat: number, count: number, turns = 1): number {
  return (seat + turns) % count;
}

export function seatsFrom(seat: number, count: number): number[] {
  return seatsOf(count).map((turns) => after(seat, count, turns));
}

export type Side = "below" | "right" | "above" | "left";

/** The sides of a board in turn order from its lower edge: the next player is on the right, the last one on the left. */
const SIDES: Readonly<Record<number, readonly Side[]>> = {
  2: ["below", "above"],
  3: ["below", "right", "left"],
  4: ["below", "right", "above", "left"],
};

export function sidesOf(count: number): readonly Side[] {
  return SIDES[count] ?? [];
}

/** The number of turns from a meld's owner to the player named in `from`; `count` for a closed kan. */
export function turnsTo(from: string | null | undefined, count: number): number {
  return { right: 1, across: 2, left: count - 1 }[from ?? ""] ?? count;
}

/** The seat's wind, 0 for East. */
export function windOf(seat: number, dealer: number, count: number): number {
  return (seat - dealer + count) % count;
}

/** The round wind of a hand, 0 for East; hand 0 is East 1. */
export function roundOf(hand: number, count: number): number {
  return Math.floor(hand / count) % WINDS.length;
}

/** Whether a hand is in the round after North, which is East again (返り東). */
export function returnsToEast(hand: number, count: number): boolean {
  return hand >= count * WINDS.length;
}

export function handInRound(hand: number, count: number): number {
  return (hand % count) + 1;
}

/** The regular last hand of a game of this length. */
export function lastHand(length: "east" | "hanchan" | "full", count: number): number {
  return { east: 1, hanchan: 2, full: 4 }[length] * count - 1;
}

export function byPlace(places: readonly number[]): number[] {
  return seatsOf(places.length).sort((one, other) => (places[one] ?? 0) - (places[other] ?? 0));
}
