// Penalties within a game, which its final points leave out.
import type { GamePenalty, RecordedSummary } from "$generated/wire";

type Penalised = Pick<RecordedSummary, "penalties" | "final">;

export function penaltiesOf(game: Penalised, seat: number): GamePenalty[] {
  return game.penalties.filter((penalty) => penalty.seat === seat);
}

/** What a seat brings to the standings from a game; null until it is over. */
export function counted(game: Penalised, seat: number): number | null {
  const final = game.final?.[seat];
  return final === undefined ? null : penaltiesOf(game, seat).reduce((sum, { points }) => sum + points, final);
}
