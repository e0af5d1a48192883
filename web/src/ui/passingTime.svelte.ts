// A clock for countdowns on the screen.
import { onDestroy } from "svelte";

const STEP_MS = 250;

export class PassingTime {
  private now = $state(performance.now());

  /** It runs as long as the component that makes it. */
  constructor() {
    const timer = window.setInterval(() => (this.now = performance.now()), STEP_MS);
    onDestroy(() => window.clearInterval(timer));
  }

  /** Milliseconds since a moment of `performance.now()`. */
  since(moment: number): number {
    return Math.max(0, this.now - moment);
  }

  /** Whole seconds left, if `ms` were left at `at`; null without a limit. */
  left(ms: number | null | undefined, at: number): number | null {
    return ms == null ? null : Math.max(0, Math.ceil((ms - this.since(at)) / 1000));
  }
}
