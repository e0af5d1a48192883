// The reviews of a game's seats, each asked for once.
import { SvelteMap } from "svelte/reactivity";
import type { GameReview } from "../generated/wire";
import { api } from "../net/api";

export class Reviews {
  readonly of = new SvelteMap<number, GameReview>();
  private readonly asked = new Set<number>();

  constructor(
    private readonly from: "games" | "uploads",
    private readonly id: string,
  ) {}

  /** Ask for the review of a seat, unless it is known; a failure lets somebody ask again. */
  async load(seat: number): Promise<void> {
    if (this.asked.has(seat)) return;
    this.asked.add(seat);
    try {
      this.of.set(seat, await api.review(this.from, this.id, seat));
    } catch (error) {
      this.asked.delete(seat);
      throw error;
    }
  }
}
