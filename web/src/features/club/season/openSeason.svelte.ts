// An open season: its parts, the ranking of the year, and who won the final.
import type { SeasonInfo, YearRanking } from "$generated/wire";
import { Query } from "$data/query.svelte";
import { send } from "$data/requests";
import { hidesFrom, winnersOf } from "./year";

export class OpenSeason {
  readonly season: Query<SeasonInfo>;
  private readonly ranking: Query<YearRanking>;
  /** The winners of the last event, once it is finished. */
  private readonly crowned: Query<readonly string[]>;

  constructor(id: string) {
    this.season = new Query(() => send("GET /api/seasons/{season}", { path: { season: id } }), { quiet: true });
    this.ranking = new Query(() => send("GET /api/seasons/{season}/ranking", { path: { season: id } }));
    this.crowned = new Query<readonly string[]>(async () => {
      const last = this.info?.parts.at(-1);
      if (!last?.event || last.status !== "closed") return [];
      return winnersOf(await send("GET /api/events/{event}/standings", { path: { event: last.event } }));
    });
  }

  get info(): SeasonInfo | null {
    return this.season.value;
  }

  /** Whether the ranking is hidden from this reader. */
  get hidden(): boolean {
    return this.ranking.state === "hidden" || (this.info !== null && hidesFrom(this.info.parts));
  }

  get year(): YearRanking | null {
    return this.hidden ? null : this.ranking.value;
  }

  get winners(): readonly string[] {
    return this.crowned.value ?? [];
  }

  /** Whether the ranking or the winners are still to come. */
  get loads(): boolean {
    return (!this.hidden && this.ranking.state === "loading") || this.crowned.state === "loading";
  }

  async load(): Promise<void> {
    await this.season.load();
    if (this.season.state !== "ready" || !this.info) return;
    await Promise.all([hidesFrom(this.info.parts) || this.ranking.load(), this.crowned.load()]);
  }
}
