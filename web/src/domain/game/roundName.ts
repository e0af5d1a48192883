import type { Key } from "$generated/keys";
import { handInRound, returnsToEast, roundOf } from "../seats";
import { t } from "../words.svelte";

/** A wind in one letter, 0 for East; the first dealer's seat is East. */
export function windLetter(wind: number): string {
  return t(`table.wind.${wind}` as Key);
}

export function windName(wind: number): string {
  return t(`table.wind_name.${wind}` as Key);
}

/** The name of a hand, counted from 0 for East 1, in a game with so many seats: "East 2". */
export function roundName(hand: number, count: number): string {
  return t(returnsToEast(hand, count) ? "table.round_again" : "table.round", {
    wind: windName(roundOf(hand, count)),
    number: handInRound(hand, count),
  });
}
