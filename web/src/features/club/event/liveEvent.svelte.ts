// An open event: what the server says of it, loaded again whenever its line names a new revision.
import { learnYaku } from "$domain/ownYakuNames.svelte";
import type { EntryList, EventInfo, RecordedSummary, StandingsBody } from "$generated/wire";
import { Query, query } from "$data/query.svelte";
import { EventLine } from "$data/eventLine.svelte";
import type { Link } from "$data/reconnectingSocket";
import { send } from "$data/requests";
import { pathOf } from "./eventAddress";
import { gameName, hiddenFrom } from "./planInWords";

export class LiveEvent {
  readonly event: Query<EventInfo>;
  readonly entries: Query<EntryList>;
  readonly standings: Query<StandingsBody>;
  private readonly line: EventLine;

  constructor(readonly id: string) {
    const path = { event: id };
    this.event = new Query(() => this.request(), { revision: (info) => info.revision, quiet: true });
    this.entries = new Query(() => send("GET /api/events/{event}/entries", { path }));
    this.standings = new Query(() => send("GET /api/events/{event}/standings", { path }));
    this.line = new EventLine(id, (revision) => void this.event.reach(revision));
    this.line.open();
    void this.load();
  }

  private async request(): Promise<EventInfo> {
    const info = await send("GET /api/events/{event}", { path: { event: this.id } });
    learnYaku(info.own_yaku);
    return info;
  }

  get info(): EventInfo | null {
    return this.event.value;
  }

  /** The newest revision that the server has named. */
  get revision(): number {
    return Math.max(this.line.revision, this.info?.revision ?? 0);
  }

  get link(): Link {
    return this.line.link;
  }

  get hidden(): boolean {
    return this.info !== null && hiddenFrom(this.info);
  }

  /** The name of an entry; a dash until it is known. */
  nameOf(entry: string): string {
    const listed = this.entries.value?.entries.find(({ id }) => id === entry);
    return listed?.called ?? this.standings.value?.names[entry] ?? "–";
  }

  /** What a list of games needs of the event. */
  readonly cards = $derived({
    nameOf: (entry: string) => this.nameOf(entry),
    title: (game: RecordedSummary) => gameName(this.info?.stages ?? [], game),
    href: (game: string) => pathOf(this.id, "games", game),
    me: this.info?.entry?.id ?? null,
  });

  /** A query of a component that loads again with each revision of the event. */
  query<Value>(get: (signal: AbortSignal) => Promise<Value>): Query<Value> {
    return query((signal) => {
      void this.revision;
      return get(signal);
    });
  }

  /** Load something at once, and again with each revision and whenever what decides about it changes. */
  follow(load: () => unknown): void {
    $effect(() => {
      void this.revision;
      load();
    });
  }

  /** Load the event again, as after something that this page has sent. */
  load(): Promise<void> {
    return this.event.load();
  }

  close(): void {
    this.line.close();
  }
}
