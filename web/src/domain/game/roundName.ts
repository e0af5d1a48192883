// The name of a hand: "East 2".
import type { Key } from "$generated/keys";
import { handInRound, returnsToEast, roundOf } from "../seats";
import { t } from "../words.svelte";

/** The name of a hand, counted from 0 for East 1, in a game with so many seats. */
export function roundName(hand: number, count: number): string {
  return t(returnsToEast(hand, count) ? "table.round_again" : "table.round", {
    wind: t(`table.wind_name.${roundOf(hand, count)}` as Key),
    number: handInRound(hand, count),
  });
}
