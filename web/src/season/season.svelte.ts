// An open season: its parts, the ranking of the year, and who won the final.
import type { SeasonInfo, YearRanking } from "../generated/wire";
import { Refused, send } from "../net/requests";
import { complain } from "../ui/notices.svelte";
import { hidesFrom, winnersOf } from "./year";

const HIDDEN = "standings_hidden";

export class OpenSeason {
  info = $state.raw<SeasonInfo | null>(null);
  year = $state.raw<YearRanking | null>(null);
  /** Whether the ranking is hidden from this reader. */
  hidden = $state(false);
  /** The winners of the last event, once it is finished. */
  winners = $state.raw<readonly string[]>([]);
  /** Why the season cannot be shown. */
  refusal = $state("");

  constructor(readonly id: string) {}

  async load(): Promise<void> {
    try {
      this.info = await send("GET /api/seasons/{season}", { path: { season: this.id } });
      this.refusal = "";
    } catch (error) {
      this.refusal = error instanceof Error ? error.message : String(error);
      return;
    }
    await Promise.all([this.rank(), this.crown()].map((one) => one.catch(complain)));
  }

  private async rank(): Promise<void> {
    if (this.info && hidesFrom(this.info.parts)) {
      this.year = null;
      this.hidden = true;
      return;
    }
    try {
      this.year = await send("GET /api/seasons/{season}/ranking", { path: { season: this.id } });
      this.hidden = false;
    } catch (error) {
      if (!(error instanceof Refused && error.code === HIDDEN)) throw error;
      this.year = null;
      this.hidden = true;
    }
  }

  private async crown(): Promise<void> {
    const last = this.info?.parts.at(-1);
    const over = last?.event && last.status === "closed";
    this.winners = over ? winnersOf(await send("GET /api/events/{event}/standings", { path: { event: last.event ?? "" } })) : [];
  }
}
