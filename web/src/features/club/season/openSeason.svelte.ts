import { person } from "$data/person.svelte";
import { query, type Query } from "$data/query.svelte";
import { send } from "$data/requests";
import type { SeasonInfo, YearRanking } from "$generated/wire";
import { hidesFrom, winnersOf } from "./year";

/** The season of a component. Whoever signs in may organise it, and has a row of their own. */
export class OpenSeason {
  readonly season: Query<SeasonInfo>;
  private readonly ranking: Query<YearRanking | null>;
  private readonly crowned: Query<string[]>;

  constructor(id: string) {
    const path = { season: id };
    this.season = query(
      (signal) => {
        void person()?.id;
        return send("GET /api/seasons/{season}", { path }, signal);
      },
      { quiet: true },
    );
    this.ranking = query(async (signal) =>
      this.info && !hidesFrom(this.info.parts) ? send("GET /api/seasons/{season}/ranking", { path }, signal) : null,
    );
    this.crowned = query(async (signal) => {
      const last = this.info?.parts.at(-1);
      if (!last?.event || last.status !== "closed") return [];
      return winnersOf(await send("GET /api/events/{event}/standings", { path: { event: last.event } }, signal));
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

  get loads(): boolean {
    return !this.hidden && this.year === null && ["loading", "ready"].includes(this.ranking.state);
  }

  load(): Promise<void> {
    return this.season.load();
  }
}
