// Sends what waits, in order. A retry of an answered entry gets the first answer, so sending again is always safe.
import { Refused } from "$data/requests";
import type { HandConflictBody } from "$generated/wire";
import { conflictOf, type Starting, type Waiting } from "./queue";
import type { Store } from "./offlineStore";

export interface Post {
  start: (starting: Starting) => Promise<unknown>;
  hand: (waiting: Waiting) => Promise<unknown>;
}

const LATER = new Set([401, 429]); // signed out, too many requests

/** Whether the request may be sent again as it is: no answer came, or none that is about the entry. */
function isLost(error: unknown): boolean {
  return !(error instanceof Refused) || error.code === "offline" || error.status >= 500 || LATER.has(error.status);
}

export class Outbox {
  private running: Promise<void> | null = null;
  private again = false;

  constructor(
    private readonly store: Store,
    private readonly post: Post,
    private readonly changed: (game: string) => Promise<void>,
  ) {}

  /** Send everything that can be sent; calls while it runs make it look once more. */
  flush(): Promise<void> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    this.running = this.all().finally(() => (this.running = null));
    return this.running;
  }

  private async all(): Promise<void> {
    do {
      this.again = false;
      if (!(await this.starts())) return;
      const games = new Set((await this.store.waiting()).map((queued) => queued.game));
      for (const game of games) if (!(await this.hands(game))) return;
    } while (this.again);
  }

  /** Whether the network holds. */
  private async starts(): Promise<boolean> {
    for (const starting of await this.store.starting()) {
      if (starting.refused) continue;
      try {
        await this.post.start(starting);
        await this.store.started(starting.body.id);
      } catch (error) {
        if (isLost(error)) return false;
        await this.store.keepStarting({ ...starting, refused: (error as Refused).message || "?" });
      }
      await this.changed(starting.body.id);
    }
    return true;
  }

  private async hands(game: string): Promise<boolean> {
    const held = (await this.store.starting()).some((starting) => starting.body.id === game);
    for (;;) {
      const [first] = held ? [] : await this.store.waiting(game);
      if (!first || first.refused || first.conflict) return true;
      try {
        await this.post.hand(first);
        await this.store.sent(first.order);
      } catch (error) {
        if (isLost(error)) return false;
        await this.store.mark(stopped(first, error as Refused));
      }
      await this.changed(game);
    }
  }
}

function stopped(waiting: Waiting, error: Refused): Waiting {
  if (error.code === "hand_conflict") return { ...waiting, conflict: conflictOf(error.answer as HandConflictBody) };
  return { ...waiting, refused: error.message || error.code };
}
