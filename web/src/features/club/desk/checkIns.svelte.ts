// Who is there: taps down a list show at once, and are sent one after another.
import { SvelteMap } from "svelte/reactivity";
import type { EventEntry } from "$generated/wire";
import { send } from "$data/requests";
import { showError } from "$data/notices.svelte";
import type { Desk } from "./desk.svelte";

export class CheckIns {
  private readonly tapped = new SvelteMap<string, boolean>();
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly desk: Desk) {}

  /** Whether somebody is checked in, or will be once their tap is sent. */
  here(entry: EventEntry): boolean {
    return this.tapped.get(entry.id) ?? Boolean(entry.checked_in);
  }

  flip(entry: EventEntry): void {
    const on = !this.here(entry);
    this.tapped.set(entry.id, on);
    this.waiting += 1;
    this.last = this.last.then(() => this.tell(entry.id, on).catch(showError));
  }

  private async tell(entry: string, on: boolean): Promise<void> {
    try {
      await send("PATCH /api/events/{event}/entries/{entry}", {
        path: { event: this.desk.id, entry },
        body: { checked_in: on },
      });
    } finally {
      this.waiting -= 1;
      if (!this.waiting) await this.desk.load();
      if (!this.waiting) this.tapped.clear(); // nothing was tapped meanwhile: the server's word stands
    }
  }
}
