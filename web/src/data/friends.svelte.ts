// The friends page, reloaded periodically while it is visible.
import type { FriendsPage } from "$generated/wire";
import { send } from "./requests";
import { showError } from "./notices.svelte";

const RELOAD_MS = 15_000;

export class Friends {
  page = $state.raw<FriendsPage | null>(null);
  /** Whether the first load has finished, successfully or not. */
  settled = $state(false);
  private readonly timer: number | undefined;

  /** `pushed`: the caller runs `load` on news, so nothing is polled. */
  constructor({ pushed = false } = {}) {
    if (!pushed)
      this.timer = window.setInterval(() => document.hidden || this.load().catch(() => undefined), RELOAD_MS);
    this.load()
      .catch(showError)
      .finally(() => (this.settled = true));
  }

  async load(): Promise<void> {
    this.page = await send("GET /api/friends", {});
  }

  stop(): void {
    window.clearInterval(this.timer);
  }
}
