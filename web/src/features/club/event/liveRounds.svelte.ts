// The rounds of an event, and when the server told them: timers run on from that moment.
import type { EventRounds } from "$generated/wire";
import { send } from "$data/requests";
import { Query } from "$data/query.svelte";
import { roundNow, type RoundNow } from "./rounds";

export class LiveRounds {
  readonly loader: Query<{ all: EventRounds; at: number }>;
  readonly now: RoundNow | null = $derived.by(() => roundNow(this.loader.value?.all ?? null, this.me()));

  /** `me`: the entry of whoever looks; their own rounds matter first. */
  constructor(
    event: string,
    private readonly me: () => string | null = () => null,
  ) {
    this.loader = new Query(async () => ({
      all: await send("GET /api/events/{event}/rounds", { path: { event } }),
      at: performance.now(),
    }));
  }

  /** `performance.now()` when the rounds were told. */
  get at(): number {
    return this.loader.value?.at ?? 0;
  }

  load(): void {
    void this.loader.load();
  }
}
