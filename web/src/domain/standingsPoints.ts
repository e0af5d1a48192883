// Standings points, and the games they come from.
import type { RecordedSummary, StagePlan } from "$generated/wire";
import { formatted } from "./words.svelte";
import { counted } from "./gamePenalties";

/** Format points in signed thousands, exactly: points carried over need not be whole hundreds. */
export function formatPoints(points: number, decimals = 1): string {
  const format = { signDisplay: "exceptZero", minimumFractionDigits: decimals, maximumFractionDigits: 3 } as const;
  return formatted(points / 1000, format);
}

/** The number of decimals for a column of points, so that they align. */
export function decimalsOf(column: readonly number[]): number {
  const needed = column.map((points) => (points % 100 === 0 ? 1 : points % 10 === 0 ? 2 : 3));
  return Math.max(1, ...needed);
}

/** Format the difference of two totals in thousands, without a sign. */
export function gap(points: number): string {
  const format = { minimumFractionDigits: 1, maximumFractionDigits: 3 } as const;
  return formatted(Math.abs(points) / 1000, format);
}

export interface OwnGame {
  game: RecordedSummary;
  score: number;
  place: number;
  points: number;
}

/** The player's confirmed games with visible results, oldest first. */
export function gamesOf(entry: string, games: readonly RecordedSummary[]): OwnGame[] {
  const own = games.flatMap((game) => {
    const seat = game.players.indexOf(entry);
    const [score, place, points] = [game.scores?.[seat], game.places?.[seat], counted(game, seat)];
    if (game.status !== "confirmed" || score === undefined || place === undefined || points === null) return [];
    return [{ game, score, place, points }];
  });
  return own.sort(
    (one, other) => (one.game.at ?? "").localeCompare(other.game.at ?? "") || one.game.number - other.game.number,
  );
}

/**
 * The ids of a player's games that count in a stage, by the rules in `docs/club.md`.
 *
 * Null if their points do not add up to `sum`, for example because a result has just changed.
 */
export function countedGames(games: readonly OwnGame[], stage: StagePlan, sum: number): Set<string> | null {
  const within = games.slice(0, stage.max_games ?? games.length);
  const counts = typeof stage.counts === "object" ? stage.counts : {};
  const [best, run] = [counts["best"], counts["best_run"]];
  const chosen = best ? highest(within, best) : run ? highestRun(within, run) : within;
  return total(chosen) === sum ? new Set(chosen.map(({ game }) => game.id)) : null;
}

function total(games: readonly OwnGame[]): number {
  return games.reduce((sum, { points }) => sum + points, 0);
}

function highest(games: readonly OwnGame[], count: number): OwnGame[] {
  return [...games].sort((one, other) => other.points - one.points).slice(0, count);
}

function highestRun(games: readonly OwnGame[], count: number): OwnGame[] {
  const length = Math.min(count, games.length);
  const runs = Array.from({ length: games.length - length + 1 }, (_, start) => games.slice(start, start + length));
  return runs.reduce((best, run) => (total(run) > total(best) ? run : best), runs[0] ?? []);
}

/** The average place, and the running total of points. */
export function course(games: readonly OwnGame[]): { average: number | null; sums: number[] } {
  const places = games.reduce((sum, { place }) => sum + place, 0);
  let sum = 0;
  return { average: games.length ? places / games.length : null, sums: games.map(({ points }) => (sum += points)) };
}
