// Rounds as players see them: which one matters now, and who sits where.
import type { EventRounds, RoundInfo, RoundTable, StageRounds } from "$generated/wire";

export interface RoundNow {
  stage: StageRounds;
  round: RoundInfo;
}

/** The rounds that everybody may know. */
export function shownRounds(stage: StageRounds): RoundInfo[] {
  return stage.rounds.filter(({ state }) => state !== "drafted");
}

/** The round that is being played, else the next one that is published, else the last one; one's own before others. */
export function roundNow(all: EventRounds | null, me: string | null = null): RoundNow | null {
  const rounds = (all?.stages ?? []).flatMap((stage) => shownRounds(stage).map((round) => ({ stage, round })));
  const open = rounds
    .filter(({ round }) => round.state !== "done")
    .sort((one, other) => urgency(one.round, me) - urgency(other.round, me));
  return open[0] ?? rounds.at(-1) ?? null;
}

/** The smaller, the sooner somebody wants to see a round. */
function urgency(round: RoundInfo, me: string | null): number {
  const waits = round.state === "running" ? 0 : round.state === "published" ? 2 : 4;
  return waits + (seatIn(round, me) === null ? 1 : 0);
}

/** A stage with the round in play first, then those to come, then those that are over, the last one first. */
export interface StageInOrder {
  stage: StageRounds;
  open: readonly RoundInfo[];
  done: readonly RoundInfo[];
}

/** The stages that have rounds, the most urgent one first. */
export function stagesInOrder(all: EventRounds | null, me: string | null): StageInOrder[] {
  const stages = (all?.stages ?? []).map((stage): StageInOrder => {
    const rounds = shownRounds(stage);
    const open = rounds
      .filter(({ state }) => state !== "done")
      .sort(
        (one, other) =>
          Number(one.state === "published") - Number(other.state === "published") || one.number - other.number,
      );
    return { stage, open, done: rounds.filter(({ state }) => state === "done").reverse() };
  });
  const first = ({ open, done }: StageInOrder): number =>
    Math.min(...[...open, ...done].map((round) => urgency(round, me)));
  return stages.filter(({ open, done }) => open.length + done.length).sort((one, other) => first(one) - first(other));
}

/** What to call a round's state: of those that are published, only one comes next. */
export function stateOf(round: RoundInfo, stages: readonly StageInOrder[]): RoundInfo["state"] | "later" {
  const next = stages.flatMap(({ open }) => open).find(({ state }) => state === "published");
  return round.state === "published" && round !== next ? "later" : round.state;
}

/** The tables of a round, one's own first. */
export function ownFirst(round: RoundInfo, me: string | null): readonly RoundTable[] {
  return me === null
    ? round.tables
    : [...round.tables].sort((one, other) => Number(other.players.includes(me)) - Number(one.players.includes(me)));
}

/** Where somebody sits in a round: a table and a seat, a bye, or nowhere. */
export function seatIn(round: RoundInfo, entry: string | null): { table: RoundTable; seat: number } | "bye" | null {
  if (entry === null) return null;
  const table = round.tables.find(({ players }) => players.includes(entry));
  if (table) return { table, seat: table.players.indexOf(entry) };
  return round.byes.includes(entry) ? "bye" : null;
}
