// Seating cards: one for each player of each game that is being played.
import type { EventRounds, RecordedSummary, RoundInfo } from "$generated/wire";

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
    players.map((entry, seat) => ({
      game: id,
      number,
      label,
      seat,
      name: name(entry),
      others: players.filter((player) => player !== entry).map(name),
    })),
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
  const sittings = new Map<string, Sitting[]>();
  for (const { stage, rounds: all } of rounds?.stages ?? []) {
    for (const round of all.filter(({ state }) => state === "published" || state === "running")) {
      for (const table of round.tables) {
        for (const [seat, entry] of table.players.entries()) {
          sittings.set(entry, [
            ...(sittings.get(entry) ?? []),
            { stage, round: round.number, table: table.number, seat },
          ]);
        }
      }
    }
  }
  return sittings;
}

/** Everybody who sits in a round, by name. */
export function seatList(
  round: RoundInfo,
  name: (entry: string) => string,
): { entry: string; name: string; table: number; seat: number }[] {
  return round.tables
    .flatMap(({ number, players }) => players.map((entry, seat) => ({ entry, name: name(entry), table: number, seat })))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** The rounds that may hang on a wall, the one in play or to come first. */
export function roundsToPrint(rounds: EventRounds | null): { stage: string; round: RoundInfo }[] {
  const printable = (rounds?.stages ?? []).flatMap(({ stage, rounds: all }) =>
    all.filter(({ state }) => state !== "drafted").map((round) => ({ stage, round })),
  );
  return printable.sort((one, other) => Number(one.round.state === "done") - Number(other.round.state === "done"));
}
