// The one queue of this page: sends what waits when the page opens, when the network returns, and every few seconds.
import { send } from "$data/requests";
import { Outbox, type Starting, type Waiting } from "./queue";
import { persisted, Store } from "./offlineStore";

export const EACH_MS = 8000;

export const store = new Store();
const listeners = new Set<(game: string) => Promise<void>>();

const outbox = new Outbox(
  store,
  {
    start: ({ event, body }: Starting) => send("POST /api/events/{event}/games", { path: { event }, body }),
    hand: ({ event, game, body }: Waiting) =>
      send("POST /api/events/{event}/games/{game}/hands", { path: { event, game }, body }),
  },
  async (game) => {
    await Promise.all([...listeners].map((listener) => listener(game)));
    await count();
  },
);

/** How many entries wait on this phone, of all games, and whether the browser promised not to clear what it keeps. */
export const phone = $state({ unsent: 0, persisted: true });

/** Whether the page itself can be opened without a network: a service worker needs a secure address. */
export function opensOffline(): boolean {
  return window.isSecureContext && "serviceWorker" in navigator;
}

export async function count(): Promise<void> {
  phone.unsent = (await store.waiting()).length + (await store.starting()).length;
}

export async function flush(): Promise<void> {
  await count();
  if (phone.unsent) await outbox.flush();
}

/** Send what waits from now on; `changed` hears of every game of which something was sent or refused. */
export function sending(changed: (game: string) => Promise<void>): () => void {
  listeners.add(changed);
  const seen = (): void => {
    if (document.visibilityState === "visible") void flush();
  };
  const now = (): void => void flush();
  const timer = window.setInterval(now, EACH_MS);
  window.addEventListener("online", now);
  document.addEventListener("visibilitychange", seen);
  void flush();
  void persisted().then((kept) => (phone.persisted = kept));
  return () => {
    listeners.delete(changed);
    window.clearInterval(timer);
    window.removeEventListener("online", now);
    document.removeEventListener("visibilitychange", seen);
  };
}
