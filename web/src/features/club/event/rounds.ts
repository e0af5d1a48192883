import type { EventRounds, RoundInfo, RoundTable, RoundTimer, StageRounds } from "$generated/wire";
import type { RoundSound } from "$ui/sound";

export interface CurrentRound {
  stage: StageRounds;
  round: RoundInfo;
}

export function visibleRounds(stage: StageRounds): RoundInfo[] {
  return stage.rounds.filter(({ state }) => state !== "drafted");
}

/** The running round, else the next published one, else the last one; the user's own rounds come first. */
export function currentRound(all: EventRounds | null, me: string | null = null): CurrentRound | null {
  const rounds = (all?.stages ?? []).flatMap((stage) => visibleRounds(stage).map((round) => ({ stage, round })));
  const open = rounds
    .filter(({ round }) => round.state !== "done")
    .sort((one, other) => urgency(one.round, me) - urgency(other.round, me));
  return open[0] ?? rounds.at(-1) ?? null;
}

/** Sort key for rounds; lower comes first. */
function urgency(round: RoundInfo, me: string | null): number {
  const base = round.state === "running" ? 0 : round.state === "published" ? 2 : 4;
  return base + (seatIn(round, me) === null ? 1 : 0);
}

export interface StageInOrder {
  stage: StageRounds;
  open: readonly RoundInfo[];
  done: readonly RoundInfo[];
}

export function stagesInOrder(all: EventRounds | null, me: string | null): StageInOrder[] {
  const stages = (all?.stages ?? []).map((stage): StageInOrder => {
    const rounds = visibleRounds(stage);
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

/** A round's state for display; only the first published round is next, the others are `later`. */
export function stateOf(round: RoundInfo, stages: readonly StageInOrder[]): RoundInfo["state"] | "later" {
  const next = stages.flatMap(({ open }) => open).find(({ state }) => state === "published");
  return round.state === "published" && round !== next ? "later" : round.state;
}

export function ownFirst(round: RoundInfo, me: string | null): readonly RoundTable[] {
  return me === null
    ? round.tables
    : [...round.tables].sort((one, other) => Number(other.players.includes(me)) - Number(one.players.includes(me)));
}

/** A player's table and seat in a round, a bye, or null. */
export function seatIn(round: RoundInfo, entry: string | null): { table: RoundTable; seat: number } | "bye" | null {
  if (entry === null) return null;
  const table = round.tables.find(({ players }) => players.includes(entry));
  if (table) return { table, seat: table.players.indexOf(entry) };
  return round.byes.includes(entry) ? "bye" : null;
}

export function hasTimer({ timer, state }: Pick<RoundInfo, "timer" | "state">): boolean {
  return timer.minutes > 0 && (state === "running" || timer.started);
}

/** Milliseconds left, `passed` milliseconds after the timer was received; negative when time is up. */
export function leftMs(timer: RoundTimer, passed: number, extra_s = 0): number {
  return (timer.left_s + extra_s) * 1000 - (timer.running ? passed : 0);
}

export const WARNING_MS = 5 * 60_000;

/** The sound for a change of the time left; null for the first value, when the page has just opened. */
export function soundBetween(before: number | null, now: number): RoundSound | null {
  if (before === null) return null;
  if (before > 0 && now <= 0) return "round_end";
  return before > WARNING_MS && now <= WARNING_MS ? "round_soon" : null;
}

export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours ? [hours, twoDigits(minutes), twoDigits(seconds % 60)] : [minutes, twoDigits(seconds % 60)];
  return parts.join(":");
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** Format seconds for the desk, where time may run below zero: 12:05, −0:30. */
export function deskClockText(seconds: number): string {
  const whole = Math.ceil(Math.abs(seconds) - (seconds > 0 ? 0 : 1e-9));
  return `${seconds < 0 && whole > 0 ? "−" : ""}${clockText(whole * 1000)}`;
}
