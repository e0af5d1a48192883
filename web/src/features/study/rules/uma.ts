// The options with a number for each place, which follow the number of players.
import type { Option } from "./options";

export const PLAYERS = "match.players";
export const UMA = "match.uma";
export const FLOATING_UMA = "match.floating_uma";

/** The option with a caption for each place; the rows of a grid count players, and never all of them. */
export function forPlayers(option: Option, players: number): Option {
  if (option.path !== UMA && option.path !== FLOATING_UMA) return option;
  const { "x-columns": columns = [], "x-rows": rows = [] } = option.part;
  return {
    ...option,
    part: { ...option.part, "x-columns": columns.slice(0, players), "x-rows": rows.slice(0, players - 1) },
  };
}

/** Uma for another number of places: the first and the last place keep theirs. */
export function umaFor(uma: readonly number[], players: number): number[] {
  if (uma.length === players) return [...uma];
  return Array.from({ length: players }, (_, place) =>
    place === 0 ? (uma[0] ?? 0) : place === players - 1 ? (uma.at(-1) ?? 0) : 0,
  );
}
