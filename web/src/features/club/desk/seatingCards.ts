// The printed seating of an event's rounds.
import type { EventRounds, RoundInfo } from "$generated/wire";

export function seatsIn(round: RoundInfo) {
  return round.tables.flatMap(({ number: table, players }) =>
    players.map((entry, seat) => ({ entry, round: round.number, table, seat })),
  );
}

/** Seats in all published and running rounds, by entry. */
export function schedules(rounds: EventRounds | null) {
  const byEntry = new Map<string, ReturnType<typeof seatsIn>>();
  const open = (rounds?.stages ?? [])
    .flatMap((stage) => stage.rounds)
    .filter(({ state }) => state === "published" || state === "running");
  for (const seat of open.flatMap(seatsIn)) byEntry.set(seat.entry, [...(byEntry.get(seat.entry) ?? []), seat]);
  return byEntry;
}

/** Rounds for the wall list, current and upcoming ones first. */
export function roundsToPrint(rounds: EventRounds | null): { stage: string; round: RoundInfo }[] {
  const printable = (rounds?.stages ?? []).flatMap(({ stage, rounds: all }) =>
    all.filter(({ state }) => state !== "drafted").map((round) => ({ stage, round })),
  );
  return printable.sort((one, other) => Number(one.round.state === "done") - Number(other.round.state === "done"));
}
