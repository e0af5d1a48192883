// Rounds as players see them: which one matters now, who sits where, and how much time is left.
import type { EventRounds, RoundInfo, RoundTable, RoundTimer, StageRounds } from "../generated/wire";
import type { RoundSound } from "../table/sound";

export interface RoundNow {
  stage: StageRounds;
  round: RoundInfo;
}

/** The rounds that everybody may know. */
export function shownRounds(stage: StageRounds): RoundInfo[] {
  return stage.rounds.filter(({ state }) => state !== "drafted");
}

/** The round that is being played, else the next one that is published, else the last one. */
export function roundNow(all: EventRounds | null): RoundNow | null {
  const rounds = (all?.stages ?? []).flatMap((stage) => shownRounds(stage).map((round) => ({ stage, round })));
  const first = (state: RoundInfo["state"]): RoundNow | undefined => rounds.find(({ round }) => round.state === state);
  return first("running") ?? first("published") ?? rounds.at(-1) ?? null;
}

/** Where somebody sits in a round: a table and a seat, a bye, or nowhere. */
export function seatIn(round: RoundInfo, entry: string | null): { table: RoundTable; seat: number } | "bye" | null {
  if (entry === null) return null;
  const table = round.tables.find(({ players }) => players.includes(entry));
  if (table) return { table, seat: table.players.indexOf(entry) };
  return round.byes.includes(entry) ? "bye" : null;
}

/** Whether there is a timer worth showing. */
export function hasTimer({ timer, state }: RoundInfo): boolean {
  return timer.minutes > 0 && (state === "running" || timer.started);
}

/** Milliseconds left `passed` milliseconds after the answer that told the timer; below zero when it is over. */
export function leftMs(timer: RoundTimer, passed: number, extra_s = 0): number {
  return (timer.left_s + extra_s) * 1000 - (timer.running ? passed : 0);
}

export const SOON_MS = 5 * 60_000;

/** What is to be heard when the time left goes from one value to another; nothing when a page has just opened. */
export function signalBetween(before: number | null, now: number): RoundSound | null {
  if (before === null) return null;
  if (before > 0 && now <= 0) return "round_end";
  return before > SOON_MS && now <= SOON_MS ? "round_soon" : null;
}
