// What the desk knows of its event: loaded again after each change, without touching what somebody is typing.
import { untrack } from "svelte";
import { learnYaku } from "$domain/ownYakuNames.svelte";
import type {
  ClaimInfo,
  DoubtfulGame,
  EventEntry,
  EventInfo,
  HeldUpGame,
  RecordedSummary,
  RefereeCall,
} from "$generated/wire";
import { send } from "$data/requests";
import { MOST_SEATS } from "$domain/seats";
import { t } from "$domain/words.svelte";
import { Query } from "$data/query.svelte";
import { EventLine } from "$data/eventLine.svelte";
import { LogQueue } from "./gameLogQueue.svelte";
import { byName, playing } from "$domain/starting";
import { gameName, mainStages, stageName } from "../event/planInWords";
import { currentStage } from "./timeFields";

const RANKS = ["recorder", "referee", "organiser"] as const;
export type Role = (typeof RANKS)[number];

/** What the desk shows; whoever may not use it sees the event alone. */
interface DeskView {
  info: EventInfo;
  entries: EventEntry[];
  unfinished: RecordedSummary[];
  calls: RefereeCall[];
  doubts: DoubtfulGame[];
  heldUp: HeldUpGame[];
  claims: ClaimInfo[];
}

async function viewOf(event: string): Promise<DeskView> {
  const path = { event };
  const info = await send("GET /api/events/{event}", { path });
  learnYaku(info.own_yaku);
  if (!info.role) return { info, entries: [], unfinished: [], calls: [], doubts: [], heldUp: [], claims: [] };
  const [{ entries }, { games }, { calls }, doubts, { claims }] = await Promise.all([
    send("GET /api/events/{event}/entries", { path }),
    send("GET /api/events/{event}/games", { path, query: { unfinished: true } }),
    send("GET /api/events/{event}/calls", { path }),
    send("GET /api/events/{event}/doubts", { path }),
    info.role === "organiser" ? send("GET /api/events/{event}/claims", { path }) : { claims: [] },
  ]);
  return { info, entries, unfinished: games, calls, doubts: doubts.games, heldUp: doubts.held_up, claims };
}

export class Desk {
  readonly view: Query<DeskView>;
  /** Logs on their way in: they stay while other tabs are open. */
  readonly logs: LogQueue;
  private readonly line: EventLine;
  private readonly names = $derived(new Map(this.entries.map((entry) => [entry.id, entry.called])));

  constructor(readonly id: string) {
    const path = { event: id };
    this.logs = new LogQueue({
      previewLog: (text, site) => send("POST /api/events/{event}/logs/preview", { path, body: { text, site } }),
      enterLog: (body) => send("POST /api/events/{event}/logs", { path, body }),
    });
    this.view = new Query(() => viewOf(id), { revision: ({ info }) => info.revision, quiet: true });
    this.line = new EventLine(id, (revision) => void this.view.reach(revision));
  }

  get info(): EventInfo | null {
    return this.view.value?.info ?? null;
  }

  get entries(): EventEntry[] {
    return this.view.value?.entries ?? [];
  }

  /** Games that are neither confirmed nor cancelled, the newest first. */
  get unfinished(): RecordedSummary[] {
    return this.view.value?.unfinished ?? [];
  }

  get calls(): RefereeCall[] {
    return this.view.value?.calls ?? [];
  }

  /** Games that a referee should look at. */
  get doubts(): DoubtfulGame[] {
    return this.view.value?.doubts ?? [];
  }

  /** Finished games of tables here that cannot be recorded now. */
  get heldUp(): HeldUpGame[] {
    return this.view.value?.heldUp ?? [];
  }

  /** Who has said that a name of the list is theirs, the newest first. */
  get claims(): ClaimInfo[] {
    return this.view.value?.claims ?? [];
  }

  /** Whether changes by others arrive by themselves. */
  get live(): boolean {
    return this.line.link === "open" && this.view.state !== "stale";
  }

  /** Whether changes by others no longer arrive; opening the line for the first time is no loss. */
  get lost(): boolean {
    const opens = this.line.link === "connecting" && this.line.revision === 0;
    return this.view.state === "stale" || (this.line.link !== "open" && !opens);
  }

  /** Load everything, and follow the event from now on. */
  async open(): Promise<void> {
    await this.view.load();
    if (this.info) this.line.open();
  }

  close(): void {
    this.line.close();
  }

  /** Load what a change of one's own has changed. While the line is open, its news may have begun to. */
  load(): Promise<void> {
    return this.line.link === "open" ? this.view.changed() : this.view.load();
  }

  /** Send a change of one's own, then load what it has changed. */
  async after(change: Promise<unknown>): Promise<void> {
    await change;
    await this.load();
  }

  /** Load something at once, and again whenever the event has changed. */
  follow(load: () => unknown): void {
    $effect(() => {
      void this.info;
      untrack(load);
    });
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

  /** What a game is called in the event. */
  game(game: Parameters<typeof gameName>[1] & { number?: number | null }): string {
    return gameName(this.info?.stages ?? [], game, game.number ? t("desk.games.number", { number: game.number }) : "");
  }

  /**
   * The stage that is being played: that of the newest unfinished game, else the one open by its dates, else the first.
   * Free play beside rounds is none.
   */
  stageInPlay(): string {
    const stages = mainStages(this.info?.stages ?? []);
    const game = this.unfinished.find(
      (candidate) => candidate.status === "playing" && stages.some(({ id }) => id === candidate.stage),
    );
    return game?.stage ?? currentStage(stages, Date.now());
  }

  title(): string {
    return this.info?.name ?? "";
  }

  /** Whoever may take a seat, by name. */
  players(): EventEntry[] {
    return playing(this.entries);
  }

  /** Whoever may have sat at a game: those who have left, too. */
  sat(): EventEntry[] {
    return byName(this.entries.filter(({ status }) => status === "playing" || status === "withdrawn"));
  }
}
