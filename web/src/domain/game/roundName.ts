import type { Key } from "$generated/keys";
import { handInRound, returnsToEast, roundOf } from "../seats";
import { t } from "../words.svelte";

/** The letter of a wind, 0 for East. */
export function windLetter(wind: number): string {
  return t(`table.wind.${wind}` as Key);
}

export function windName(wind: number): string {
  return t(`table.wind_name.${wind}` as Key);
}

/** The name of a hand such as "East 2"; `hand` is 0 for East 1, `count` the number of seats. */
export function roundName(hand: number, count: number): string {
  return t(returnsToEast(hand, count) ? "table.round_again" : "table.round", {
    wind: windName(roundOf(hand, count)),
    number: handInRound(hand, count),
  });
}
