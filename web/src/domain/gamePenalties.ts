// Penalties in a game, which its final points do not include.
import type { GamePenalty, RecordedSummary } from "$generated/wire";

type Penalised = Pick<RecordedSummary, "penalties" | "final">;

export function penaltiesOf(game: Penalised, seat: number): GamePenalty[] {
  return game.penalties.filter((penalty) => penalty.seat === seat);
}

/** A seat's points from a game for the standings, with penalties; null until the game is over. */
export function counted(game: Penalised, seat: number): number | null {
  const final = game.final?.[seat];
  return final === undefined ? null : penaltiesOf(game, seat).reduce((sum, { points }) => sum + points, final);
}
