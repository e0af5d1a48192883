// The reader's way through a review: it keeps the position and the answers while deeper results arrive.
import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { GameReview } from "$generated/wire";
import type { Action } from "$domain/game/choices";
import { type Decision, stepAfter, stepBefore, walkOf, withVerdict } from "./review";

const POLL_MS = 2_000;
const MAX_POLL_MS = 30_000;
const SLOWER = 1.5;
const MOST_STILL = 12; // answers without progress before the walk stops asking

type Request = (seat: number, judge: string, signal: AbortSignal) => Promise<GameReview>;

export class Walk {
  review = $state.raw<GameReview | null>(null);
  /** Why there is no review. */
  problem = $state("");
  /** Whether the server still makes progress. */
  checking = $state(false);
  /** The step of the current moment; null outside the walk. */
  at = $state<number | null>(null);
  visited = $state.raw<readonly number[]>([]);
  readonly answers = new SvelteMap<number, Action>();
  readonly seen = new SvelteSet<number>();

  constructor(private readonly request: Request) {}

  readonly decisions = $derived(this.review?.review.decisions ?? []);
  readonly order = $derived(walkOf(this.decisions).map(({ step }) => step));
  readonly unclear = $derived(withVerdict(this.decisions, "unclear"));
  readonly decision = $derived(this.decisionAt(this.at));
  /** The number of moments to walk through, with those visited that are no longer mistakes. */
  readonly count = $derived(new Set([...this.visited, ...this.order]).size);
  readonly place = $derived(this.at === null ? 0 : this.visited.indexOf(this.at) + 1);
  readonly after = $derived(this.at === null ? null : stepAfter(this.at, this.visited, this.order));
  readonly before = $derived(this.at === null ? null : stepBefore(this.at, this.visited));

  decisionAt(step: number | null): Decision | null {
    return this.decisions.find((one) => one.step === step) ?? null;
  }

  whyAt(step: number): readonly string[] {
    return this.review?.why[step] ?? [];
  }

  go(step: number | null): void {
    this.at = step;
    if (step !== null && !this.visited.includes(step)) this.visited = [...this.visited, step];
  }

  /** Go to the first moment that was not answered. */
  begin(): void {
    const open = [...this.visited, ...this.order].find((step) => !this.seen.has(step));
    this.go(open ?? this.order[0] ?? null);
  }

  /** Load the review of a seat, and again while deeper results come. Returns a function that stops it. */
  follow(seat: number, judge: string): () => void {
    const stop = new AbortController();
    this.review = null;
    this.problem = "";
    this.at = null;
    this.visited = [];
    this.answers.clear();
    this.seen.clear();
    this.checking = true;
    void this.poll(seat, judge, stop.signal).finally(() => {
      if (!stop.signal.aborted) this.checking = false;
    });
    return () => stop.abort();
  }

  private async poll(seat: number, judge: string, signal: AbortSignal): Promise<void> {
    let [wait, still] = [POLL_MS, 0];
    while (!signal.aborted && still < MOST_STILL) {
      const before = this.review?.review.progress ?? -1;
      try {
        const latest = await this.request(seat, judge, signal);
        if (signal.aborted) return;
        this.review = latest;
      } catch (error) {
        if (signal.aborted) return;
        this.problem = error instanceof Error ? error.message : String(error);
        if (!this.review) return;
      }
      const now = this.review?.review.progress ?? 1;
      if (now >= 1) return;
      const grown = now > before;
      still = grown ? 0 : still + 1;
      wait = grown ? POLL_MS : Math.min(wait * SLOWER, MAX_POLL_MS);
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}
