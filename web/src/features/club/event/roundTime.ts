// The time that a round has left: how much it is, what is heard, and how it is written.
import type { RoundInfo, RoundTimer } from "$generated/wire";
import type { RoundSound } from "$ui/sound";

/** Whether there is a timer worth showing. */
export function hasTimer({ timer, state }: Pick<RoundInfo, "timer" | "state">): boolean {
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

/** A time left as minutes and seconds, or with hours; zero once it is over. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours ? [hours, two(minutes), two(seconds % 60)] : [minutes, two(seconds % 60)];
  return parts.join(":");
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** The same in seconds at the desk, which goes on below zero: 12:05, −0:30. */
export function deskClockText(seconds: number): string {
  const whole = Math.ceil(Math.abs(seconds) - (seconds > 0 ? 0 : 1e-9));
  return `${seconds < 0 && whole > 0 ? "−" : ""}${clockText(whole * 1000)}`;
}
