// The page of friends, loaded again while somebody looks at it.
import type { FriendsPage } from "$generated/wire";
import { send } from "./requests";
import { showError } from "./notices.svelte";

const AGAIN_MS = 15_000;

export class Friends {
  page = $state.raw<FriendsPage | null>(null);
  /** Whether the server has answered, or refused to. */
  settled = $state(false);
  private readonly timer: number | undefined;

  /** ``told``: somebody calls ``load`` when there is something new. */
  constructor({ told = false } = {}) {
    if (!told) this.timer = window.setInterval(() => document.hidden || this.load().catch(() => undefined), AGAIN_MS);
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
