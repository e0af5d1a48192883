// The standings of all stages as the rows of a table.
import type { StandingsBody } from "../generated/wire";

type Cell = string | number | null;

/** A row for each player of each stage: stage, rank, name, team, points …, then how often each place. */
export function standingsRows(
  found: StandingsBody,
  seats: number,
  stageName: (stage: string) => string,
  teamOf: (entry: string) => string,
): Cell[][] {
  return found.stages.flatMap((stage) =>
    stage.standings.map((row) => [
      stageName(stage.id), row.rank, found.names[row.player] ?? row.player, teamOf(row.player), row.points, row.carried, row.penalty,
      row.games, row.counted, row.average_place === null ? null : Math.round(row.average_place * 1000) / 1000, row.qualified ? 1 : 0,
      ...Array.from({ length: seats }, (_, place) => row.places[place] ?? 0),
    ]),
  );
}
