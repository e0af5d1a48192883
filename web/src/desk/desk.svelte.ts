// What the desk knows of its event: loaded again after each change, without touching what somebody is typing.
import type { DoubtfulGame, EventEntry, EventInfo, HeldUpGame, RecordedSummary, RefereeCall } from "../generated/wire";
import { send } from "../net/requests";
import { MOST_SEATS } from "../lib/seats";
import { language } from "../lib/words.svelte";
import { ReconnectingSocket } from "../net/reconnecting";
import { LogQueue } from "./logQueue.svelte";
import { stageName } from "../event/plan";
import { inLanguage } from "./threeWords";
import { currentStage } from "./times";

const RANKS = ["recorder", "referee", "organiser"] as const;
export type Role = (typeof RANKS)[number];

export class Desk {
  info = $state.raw<EventInfo | null>(null);
  entries = $state.raw<EventEntry[]>([]);
  /** Games that are neither confirmed nor cancelled, the newest first. */
  unfinished = $state.raw<RecordedSummary[]>([]);
  calls = $state.raw<RefereeCall[]>([]);
  /** Games that a referee should look at. */
  doubts = $state.raw<DoubtfulGame[]>([]);
  /** Finished games of tables here that cannot be recorded now. */
  heldUp = $state.raw<HeldUpGame[]>([]);
  /** Whether changes by others arrive by themselves. */
  live = $state(false);
  /** Raised after each load, so that tabs load what only they show. */
  loads = $state(0);
  /** Logs on their way in: they stay while other tabs are open. */
  readonly logs: LogQueue;
  private readonly names = $derived(new Map(this.entries.map((entry) => [entry.id, entry.name])));
  private readonly line: ReconnectingSocket;
  private running: Promise<void> | null = null;
  private again = false;

  constructor(readonly id: string) {
    const path = { event: id };
    this.logs = new LogQueue({
      previewLog: (text, site) => send("POST /api/events/{event}/logs/preview", { path, body: { text, site } }),
      enterLog: (body) => send("POST /api/events/{event}/logs", { path, body }),
    });
    this.line = new ReconnectingSocket({
      path: `/ws/events/${encodeURIComponent(id)}`,
      receive: (text) => this.heard(text),
      changed: (link) => (this.live = link === "open"),
    });
  }

  /** Load everything, and follow the event from now on. */
  async open(): Promise<void> {
    await this.load();
    this.line.open();
  }

  close(): void {
    this.line.close();
  }

  /** How many play at a table. */
  get seats(): number {
    return this.info?.seats ?? MOST_SEATS;
  }

  may(role: Role): boolean {
    const mine = this.info?.role;
    return mine != null && RANKS.indexOf(mine) >= RANKS.indexOf(role);
  }

  /** The name of an entry. */
  name(entry: string): string {
    return this.names.get(entry) ?? entry;
  }

  /** The name of a stage. */
  stage(id: string): string {
    return stageName(this.info?.stages ?? [], id);
  }

  /** The stage that is being played: that of the newest unfinished game, else the one open by its dates, else the first. */
  stageNow(): string {
    const game = this.unfinished.find((one) => one.status === "playing");
    return game?.stage ?? currentStage(this.info?.stages ?? [], Date.now());
  }

  title(): string {
    return inLanguage(this.info?.name, language());
  }

  /** Whoever may take a seat, by name. */
  players(): EventEntry[] {
    return this.entries.filter((entry) => entry.status === "playing").sort((one, other) => one.name.localeCompare(other.name, language()));
  }

  /** Load again. A change during a load causes one more. */
  load(): Promise<void> {
    if (this.running) this.again = true;
    this.running ??= this.loadAll().finally(() => (this.running = null));
    return this.running;
  }

  private async loadAll(): Promise<void> {
    do {
      this.again = false;
      const info = await send("GET /api/events/{event}", { path: { event: this.id } });
      if (info.role) {
        const [entries, games, calls, doubts] = await Promise.all([send("GET /api/events/{event}/entries", { path: { event: this.id } }), send("GET /api/events/{event}/games", { path: { event: this.id }, query: { unfinished: true } }), send("GET /api/events/{event}/calls", { path: { event: this.id } }), send("GET /api/events/{event}/doubts", { path: { event: this.id } })]);
        this.entries = entries.entries;
        this.unfinished = games.games;
        this.calls = calls.calls;
        this.doubts = doubts.games;
        this.heldUp = doubts.held_up;
      }
      this.info = info;
    } while (this.again);
    this.loads += 1;
  }

  private heard(text: string): void {
    this.line.works();
    const { revision } = JSON.parse(text) as { revision: number };
    if (revision !== this.info?.revision) void this.load().catch(() => undefined); // the next change tries again
  }
}
