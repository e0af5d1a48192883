// A position of a replay as a link to the calculator.
import { EMPTY, queryOf } from "$domain/calculator/calculatorState";
import type { View } from "$generated/wire";
import { windOf, WINDS } from "$domain/seats";
import { tilesOf } from "$domain/tiles/notation";

/** The address of the calculator with the hand of a seat, as it is drawn. */
export function calculatorOf(view: View, seat: number, rules: string): string {
  const count = view.scores.length;
  const query = queryOf({
    ...EMPTY,
    hand: [...tilesOf(view.hand), ...tilesOf(view.drawn ?? "")],
    melds: view.melds[seat] ?? [],
    dora: tilesOf(view.indicators.join("")),
    by: view.drawn ? "tsumo" : "ron",
    round: view.round,
    seat: WINDS[windOf(seat, view.dealer, count)] ?? "east",
    riichi: view.riichi[seat] ?? "",
    honba: view.honba,
    deposits: view.deposits,
    kita: view.kita[seat] ?? 0,
    rules,
  });
  return `/calc?${query}`;
}
