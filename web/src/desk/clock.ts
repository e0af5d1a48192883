// The time that a round has left.
import { clockText as timeText } from "../event/rotation";

/** The time as everybody else sees it, below zero when it is over: 12:05, −0:30. */
export function clockText(seconds: number): string {
  const whole = Math.ceil(Math.abs(seconds) - (seconds > 0 ? 0 : 1e-9));
  return `${seconds < 0 && whole > 0 ? "−" : ""}${timeText(whole * 1000)}`;
}

/** What is left now of a timer that had `left` seconds at the moment `then`, in milliseconds. */
export function leftNow(left: number, running: boolean, then: number, now: number): number {
  return running ? left - (now - then) / 1000 : left;
}
