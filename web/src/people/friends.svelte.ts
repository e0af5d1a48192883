// The page of friends, loaded again while somebody looks at it.
import type { FriendsPage } from "../generated/wire";
import { send } from "../net/requests";
import { complain } from "../ui/notices.svelte";

const AGAIN_MS = 15_000;

export class Friends {
  page = $state.raw<FriendsPage | null>(null);

  constructor() {
    this.load().catch(complain);
    $effect(() => {
      const timer = window.setInterval(() => document.hidden || this.load().catch(() => undefined), AGAIN_MS);
      return () => window.clearInterval(timer);
    });
  }

  async load(): Promise<void> {
    this.page = await send("GET /api/friends", {});
  }
}
