// An event page's data, reloaded whenever the server announces a new revision.
import { createContext, onDestroy } from "svelte";
import { EventSocket } from "$data/eventSocket.svelte";
import { query, type Query } from "$data/query.svelte";
import type { Link } from "$data/reconnectingSocket";
import { send } from "$data/requests";
import { learnYaku } from "$domain/ownYakuNames.svelte";
import type { EntryList, EventInfo, EventRounds, RecordedList, RecordedSummary, StandingsBody } from "$generated/wire";
import { pathOf } from "./eventAddress";
import { gameName, standingsHidden } from "./planInWords";

export const [liveEvent, provideLiveEvent] = createContext<LiveEvent>();

export class LiveEvent {
  readonly path: { event: string };
  readonly event: Query<EventInfo>;
  readonly entries: Query<EntryList>;
  readonly standings: Query<StandingsBody | null>;
  private readonly socket: EventSocket;

  readonly info: EventInfo | null = $derived.by(() => this.event.value);
  readonly revision: number = $derived.by(() => Math.max(this.socket.revision, this.info?.revision ?? 0));
  readonly hidden: boolean = $derived.by(() => this.info !== null && standingsHidden(this.info));
  readonly me: string | null = $derived.by(() => this.info?.entry?.id ?? null);
  readonly cards = $derived.by(() => ({
    nameOf: (entry: string) => this.nameOf(entry),
    title: (game: RecordedSummary) => gameName(this.info?.stages ?? [], game),
    href: (game: string) => this.href("games", game),
    me: this.me,
  }));

  constructor(readonly id: string) {
    const path = { event: id };
    this.path = path;
    this.socket = new EventSocket(id, (revision) => void this.event.catchUp(revision));
    this.event = query(
      async (signal) => {
        const info = await send("GET /api/events/{event}", { path }, signal);
        learnYaku(info.own_yaku);
        return info;
      },
      { revision: (info) => info.revision, quiet: true },
    );
    this.entries = this.query((signal) => send("GET /api/events/{event}/entries", { path }, signal));
    this.standings = this.query(async (signal) =>
      this.info && !this.hidden ? send("GET /api/events/{event}/standings", { path }, signal) : null,
    );
    this.socket.open();
    onDestroy(() => this.socket.close());
  }

  /** Create a component's query that reloads with each revision of the event. */
  query<Value>(get: (signal: AbortSignal) => Promise<Value>): Query<Value> {
    return query((signal) => {
      void this.revision;
      return get(signal);
    });
  }

  /** Query the rounds with their time of receipt, from which timers count on. */
  rounds(): Query<{ all: EventRounds; at: number }> {
    return this.query(async (signal) => ({
      all: await send("GET /api/events/{event}/rounds", { path: this.path }, signal),
      at: performance.now(),
    }));
  }

  games(
    filter: () => { entry?: string | null; stage?: string | null } | null = () => ({}),
  ): Query<RecordedList | null> {
    return this.query(async (signal) => {
      const query = filter();
      return query && send("GET /api/events/{event}/games", { path: this.path, query }, signal);
    });
  }

  href(...rest: string[]): string {
    return pathOf(this.id, ...rest);
  }

  get link(): Link {
    return this.socket.link;
  }

  nameOf(entry: string): string {
    const listed = this.entries.value?.entries.find(({ id }) => id === entry);
    return listed?.called ?? this.standings.value?.names[entry] ?? "–";
  }

  load(): Promise<void> {
    return this.event.load();
  }
}
