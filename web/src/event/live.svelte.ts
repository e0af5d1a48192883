// An open event: what the server tells of it, loaded again whenever the socket names a new revision.
import type { EntryList, EventChanged, EventInfo, StandingsBody } from "../generated/wire";
import { ReconnectingSocket, type Link } from "../net/reconnecting";
import { send } from "../net/requests";
import { Fresh } from "./fresh.svelte";
import { hiddenFrom } from "./plan";

export class LiveEvent {
  info = $state.raw<EventInfo | null>(null);
  /** The newest revision that the server has told. */
  revision = $state(0);
  link = $state<Link>("connecting");
  /** Why the event cannot be shown. */
  refusal = $state("");
  readonly entries: Fresh<EntryList>;
  readonly standings: Fresh<StandingsBody>;
  private readonly line: ReconnectingSocket;

  constructor(readonly id: string) {
    this.entries = new Fresh(() => send("GET /api/events/{event}/entries", { path: { event: id } }));
    this.standings = new Fresh(() => send("GET /api/events/{event}/standings", { path: { event: id } }));
    this.line = new ReconnectingSocket({
      path: `/ws/events/${encodeURIComponent(id)}`,
      receive: (text) => this.hear(JSON.parse(text) as EventChanged),
      changed: (link) => (this.link = link),
    });
    this.line.open();
    void this.load();
  }

  get hidden(): boolean {
    return this.info !== null && hiddenFrom(this.info);
  }

  /** The name of an entry; a dash until it is known. */
  nameOf(entry: string): string {
    const listed = this.entries.value?.entries.find(({ id }) => id === entry);
    return listed?.name ?? this.standings.value?.names[entry] ?? "–";
  }

  /** Load the event again, as after something that this page has sent. */
  async load(): Promise<void> {
    try {
      const found = await send("GET /api/events/{event}", { path: { event: this.id } });
      if (found.revision < (this.info?.revision ?? 0)) return; // an older answer came later
      this.info = found;
      this.revision = Math.max(this.revision, found.revision);
      this.refusal = "";
    } catch (error) {
      this.refusal = error instanceof Error ? error.message : String(error);
    }
  }

  close(): void {
    this.line.close();
  }

  private hear({ revision }: EventChanged): void {
    this.line.works();
    this.revision = Math.max(this.revision, revision);
    if (!this.info || this.info.revision < revision) void this.load();
  }
}
