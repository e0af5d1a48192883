// Seating cards: one for each player of each game that is being played.
import type { EventRounds, RecordedSummary } from "../generated/wire";

export interface SeatCard {
  game: string;
  number: number;
  label: string;
  seat: number;
  name: string;
  /** The other players at the table. */
  others: string[];
}

/** The cards of games, table by table, East first. */
export function cardsOf(games: readonly RecordedSummary[], name: (entry: string) => string): SeatCard[] {
  return games.flatMap(({ id, number, label, players }) =>
    players.map((entry, seat) => ({ game: id, number, label, seat, name: name(entry), others: players.filter((one) => one !== entry).map(name) })),
  );
}

/** Where somebody sits in a round. */
export interface Sitting {
  stage: string;
  round: number;
  table: number;
  seat: number;
}

/** Where each player sits in all rounds that are published and not over, by entry. */
export function schedules(rounds: EventRounds | null): Map<string, Sitting[]> {
  const found = new Map<string, Sitting[]>();
  for (const { stage, rounds: all } of rounds?.stages ?? []) {
    for (const round of all.filter(({ state }) => state === "published" || state === "running")) {
      for (const table of round.tables) {
        for (const [seat, entry] of table.players.entries()) {
          found.set(entry, [...(found.get(entry) ?? []), { stage, round: round.number, table: table.number, seat }]);
        }
      }
    }
  }
  return found;
}
