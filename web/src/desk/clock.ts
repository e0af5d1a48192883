// The time that a round has left.

/** Minutes and seconds, below zero when the time is over: 12:05, -0:30. */
export function clockText(seconds: number): string {
  const whole = Math.ceil(Math.abs(seconds) - (seconds > 0 ? 0 : 1e-9));
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return `${seconds < 0 && whole > 0 ? "−" : ""}${minutes}:${String(rest).padStart(2, "0")}`;
}

/** What is left now of a timer that had `left` seconds at the moment `then`, in milliseconds. */
export function leftNow(left: number, running: boolean, then: number, now: number): number {
  return running ? left - (now - then) / 1000 : left;
}
