// The reviews of a game's seats, each asked for once.
import { SvelteMap } from "svelte/reactivity";
import type { GameReview } from "$generated/wire";
import { reviewOf, type Source } from "./replayRequests";

export class Reviews {
  readonly of = new SvelteMap<number, GameReview>();
  private readonly asked = new Set<number>();

  constructor(private readonly source: Source) {}

  /** Ask for the review of a seat, unless it is known; a failure lets somebody ask again. */
  async load(seat: number): Promise<void> {
    if (this.asked.has(seat)) return;
    this.asked.add(seat);
    try {
      this.of.set(seat, await reviewOf(this.source, seat));
    } catch (error) {
      this.asked.delete(seat);
      throw error;
    }
  }
}
