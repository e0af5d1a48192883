// An evening of an open league: who is drawn to which table, and results that are pasted with their players.
import type { RecordedSummary } from "$generated/wire";
import { shuffled } from "$domain/starting";
import { cells } from "./csv";
import { MOST_LINES, type SheetRow } from "./roundSheet";
import { typedPoints } from "./typedPoints";

export const EVENING_MS = 16 * 3_600_000; // as long as a check-in of a league holds

/** How many games each player has begun this evening. */
export function gamesTonight(games: readonly RecordedSummary[], now: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const game of games) {
    if (game.status === "cancelled" || !game.at || now - Date.parse(game.at) >= EVENING_MS) continue;
    for (const player of game.players) counts.set(player, (counts.get(player) ?? 0) + 1);
  }
  return counts;
}

/** Tables by lot. Whoever has played most this evening sits out if the tables do not come out even. */
export function drawnTables(
  people: readonly string[],
  seats: number,
  played: ReadonlyMap<string, number>,
  random?: () => number,
): { tables: string[][]; out: string[] } {
  const order = shuffled(people, random).sort((one, other) => (played.get(one) ?? 0) - (played.get(other) ?? 0));
  const whole = order.length - (order.length % seats);
  const mixed = shuffled(order.slice(0, whole), random);
  return {
    tables: Array.from({ length: whole / seats }, (_, at) => mixed.slice(at * seats, (at + 1) * seats)),
    out: order.slice(whole),
  };
}

/** A game whose players and points were pasted in one line. */
export interface PastedGame {
  players: string[];
  scores: string[];
}

/** Read lines of names and points, East first; null if no line names all players of a game. */
export function pastedGames(
  text: string,
  names: ReadonlyMap<string, string>,
  seats: number,
): { games: PastedGame[]; unread: number } | null {
  const lines = cells(text.slice(0, 200_000).replace(/(\d),(?=\d{3}(\D|$))/g, "$1"))
    .map((line) => line.filter(Boolean))
    .filter((line) => line.length);
  if (lines.length > MOST_LINES) return null;
  const games = lines.flatMap((line): PastedGame[] => {
    const players = line.flatMap((cell) => names.get(cell) ?? []);
    const scores = line.filter((cell) => !names.has(cell) && typedPoints(cell) !== null).slice(-seats);
    return players.length === seats && new Set(players).size === seats && scores.length === seats
      ? [{ players, scores }]
      : [];
  });
  return games.length ? { games, unread: lines.length - games.length } : null;
}

/** The games of a league that end with points alone: nobody has entered a hand. */
export function openRows(unfinished: readonly RecordedSummary[], stage: string): SheetRow[] {
  return unfinished
    .filter((game) => game.stage === stage && game.round === null && !game.hands && !game.replay)
    .map((game) => ({ table: game.number, players: game.players, game }))
    .sort((one, other) => one.table - other.table);
}
