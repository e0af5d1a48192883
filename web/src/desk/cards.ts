// Seating cards: one for each player of each game that is being played.
import type { RecordedSummary } from "../generated/wire";

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
