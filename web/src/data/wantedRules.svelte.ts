// The rules a page is asked to use, from the list or by a link to anybody's; never silently replaced by others.
import type { RulesPage, RulesRow } from "$generated/wire";
import { chooseRules, chosenRules, STANDARD } from "$domain/chosenRules";
import { MOST_SEATS } from "$domain/seats";
import { Refused, send } from "./requests";

export class WantedRules {
  rows = $state.raw<RulesRow[]>([]);
  /** The id of the chosen rules; empty while the rules in the address are unknown and none have been chosen. */
  id = $state("");
  /** Their name and description, even if no row has them. */
  name = $state("");
  about = $state("");
  /** How many play by them. */
  players = $state(MOST_SEATS);
  /** The id in the address, if it is unknown. */
  unknown = $state("");

  /** `asked`: the id in the address, or null; then the rules used last are taken, if they still exist. Empty: none yet. */
  constructor(private readonly asked: string | null) {
    this.id = asked ?? chosenRules();
  }

  async load(): Promise<void> {
    this.rows = (await send("GET /api/rules", {})).rules;
    if (this.id) await this.choose(this.id);
  }

  async choose(id: string): Promise<void> {
    this.id = id;
    const rules = this.rows.find((row) => row.id === id) ?? (await this.elsewhere(id));
    if (rules) {
      this.name = rules.name;
      this.about = rules.about;
      this.players = rules.players ?? MOST_SEATS;
    } else if (id === this.asked) {
      this.unknown = id;
      this.id = "";
    } else await this.choose(STANDARD);
  }

  remember(): void {
    chooseRules(this.id);
  }

  private async elsewhere(id: string): Promise<RulesPage | null> {
    try {
      return await send("GET /api/rules/{name}", { path: { name: id } });
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return null;
      throw error;
    }
  }
}
