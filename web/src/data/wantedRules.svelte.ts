// The rules for a page, from the list or from a link to any stored rules; unknown ones are reported, not replaced.
import type { RulesPage, RulesRow } from "$generated/wire";
import { chooseRules, chosenRules, STANDARD } from "$domain/chosenRules";
import { MAX_SEATS } from "$domain/seats";
import { Refused, send } from "./requests";

export class WantedRules {
  rows = $state.raw<RulesRow[]>([]);
  /** The id of the chosen rules; empty if those in the URL are unknown and no others have been chosen. */
  id = $state("");
  /** Name and description of the chosen rules, which may be missing from `rows`. */
  name = $state("");
  about = $state("");
  /** The number of players in a game. */
  players = $state(MAX_SEATS);
  /** The id in the URL, if it is unknown. */
  unknown = $state("");

  /** `requested`: the id in the URL, empty for none; null selects the last used rules, if they still exist. */
  constructor(private readonly requested: string | null) {
    this.id = requested ?? chosenRules();
  }

  async load(): Promise<void> {
    this.rows = (await send("GET /api/rules", {})).rules;
    if (this.id) await this.choose(this.id);
  }

  async choose(id: string): Promise<void> {
    this.id = id;
    const rules = this.rows.find((row) => row.id === id) ?? (await this.fetched(id));
    if (rules) {
      this.name = rules.name;
      this.about = rules.about;
      this.players = rules.players ?? MAX_SEATS;
    } else if (id === this.requested) {
      this.unknown = id;
      this.id = "";
    } else await this.choose(STANDARD);
  }

  remember(): void {
    chooseRules(this.id);
  }

  private async fetched(id: string): Promise<RulesPage | null> {
    try {
      return await send("GET /api/rules/{name}", { path: { name: id } });
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return null;
      throw error;
    }
  }
}
