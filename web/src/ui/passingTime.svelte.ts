// A clock for countdowns on the screen.
const STEP_MS = 250;

export class PassingTime {
  private now = $state(performance.now());
  private readonly timer = window.setInterval(() => (this.now = performance.now()), STEP_MS);

  /** Milliseconds since a moment of `performance.now()`. */
  since(moment: number): number {
    return Math.max(0, this.now - moment);
  }

  /** Whole seconds left, if `ms` were left at `at`; null without a limit. */
  left(ms: number | null | undefined, at: number): number | null {
    return ms == null ? null : Math.max(0, Math.ceil((ms - this.since(at)) / 1000));
  }

  stop(): void {
    window.clearInterval(this.timer);
  }
}
