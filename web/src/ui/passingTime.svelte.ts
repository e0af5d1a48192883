// A clock for countdowns on the screen.
import { onDestroy } from "svelte";

const STEP_MS = 250;

export class PassingTime {
  private now = $state(performance.now());

  /** Runs until the component that creates it is destroyed. */
  constructor() {
    const timer = window.setInterval(() => (this.now = performance.now()), STEP_MS);
    onDestroy(() => window.clearInterval(timer));
  }

  /** Milliseconds since a time from `performance.now()`. */
  since(moment: number): number {
    return Math.max(0, this.now - moment);
  }

  /** Whole seconds left of `ms` milliseconds starting at `at`; null without a limit. */
  left(ms: number | null | undefined, at: number): number | null {
    return ms == null ? null : Math.max(0, Math.ceil((ms - this.since(at)) / 1000));
  }
}
