// The page's only outbox: flushed on start, when the network returns and every few seconds.
import { send } from "$data/requests";
import { Outbox, type QueuedStart, type QueuedHand } from "./queue";
import { persisted, Store } from "./offlineStore";

export const RETRY_MS = 8000;

export const store = new Store();
const listeners = new Set<(game: string) => Promise<void>>();

const outbox = new Outbox(
  store,
  {
    start: ({ event, body }: QueuedStart) => send("POST /api/events/{event}/games", { path: { event }, body }),
    hand: ({ event, game, body }: QueuedHand) =>
      send("POST /api/events/{event}/games/{game}/hands", { path: { event, game }, body }),
  },
  async (game) => {
    await Promise.all([...listeners].map((listener) => listener(game)));
    await countUnsent();
  },
);

/** Number of unsent entries of all games, and whether the browser granted persistent storage. */
export const phone = $state({ unsent: 0, persisted: true });

/** Whether the page can be opened offline: service workers require a secure context. */
export function opensOffline(): boolean {
  return window.isSecureContext && "serviceWorker" in navigator;
}

export async function countUnsent(): Promise<void> {
  phone.unsent = (await store.waiting()).length + (await store.starting()).length;
}

export async function flush(): Promise<void> {
  await countUnsent();
  if (phone.unsent) await outbox.flush();
}

/** Start sending the queue; `changed` is called for each game with a sent or refused entry. Return a stop function. */
export function startSending(changed: (game: string) => Promise<void>): () => void {
  listeners.add(changed);
  const flushWhenVisible = (): void => {
    if (document.visibilityState === "visible") void flush();
  };
  const flushNow = (): void => void flush();
  const timer = window.setInterval(flushNow, RETRY_MS);
  window.addEventListener("online", flushNow);
  document.addEventListener("visibilitychange", flushWhenVisible);
  void flush();
  void persisted().then((kept) => (phone.persisted = kept));
  return () => {
    listeners.delete(changed);
    window.clearInterval(timer);
    window.removeEventListener("online", flushNow);
    document.removeEventListener("visibilitychange", flushWhenVisible);
  };
}
