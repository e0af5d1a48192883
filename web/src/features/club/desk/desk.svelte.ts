// What the desk knows of its event: loaded again after each change, without touching what somebody is typing.
import { SvelteMap } from "svelte/reactivity";
import { learnYaku } from "$domain/ownYakuNames.svelte";
import type {
  ClaimInfo,
  DoubtfulGame,
  EventEntry,
  EventInfo,
  EventRounds,
  HeldUpGame,
  RecordedSummary,
  RefereeCall,
  StageRounds,
} from "$generated/wire";
import { send } from "$data/requests";
import { showError } from "$data/notices.svelte";
import { MOST_SEATS } from "$domain/seats";
import { t } from "$domain/words.svelte";
import { query, Query } from "$data/query.svelte";
import { EventLine } from "$data/eventLine.svelte";
import { LogQueue } from "./gameLogs.svelte";
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

  /** The part of addresses that names the event. */
  readonly path: { event: string };

  constructor(readonly id: string) {
    const path = (this.path = { event: id });
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

  /** A query of a component that loads again whenever the event has changed. */
  query<Value>(get: (signal: AbortSignal) => Promise<Value>): Query<Value> {
    return query((signal) => {
      void this.info;
      return get(signal);
    });
  }

  /** What needs somebody's attention now. */
  get matters(): { matter: Matter; count: number }[] {
    return attention(this.entries, this.unfinished, this.calls, [...this.doubts, ...this.heldUp], this.claims);
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

/** What each part of the page of rounds gets. */
export interface InRounds {
  desk: Desk;
  stagePath: { event: string; stage: string };
  /** Show what the server answers. */
  applyResponse: (answer: StageRounds) => void;
}

/** Who is there: taps down a list show at once, and are sent one after another. */
export class CheckIns {
  private readonly tapped = new SvelteMap<string, boolean>();
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly desk: Desk) {}

  /** Whether somebody is checked in, or will be once their tap is sent. */
  here(entry: EventEntry): boolean {
    return this.tapped.get(entry.id) ?? Boolean(entry.checked_in);
  }

  flip(entry: EventEntry): void {
    const on = !this.here(entry);
    this.tapped.set(entry.id, on);
    this.waiting += 1;
    this.last = this.last.then(() => this.tell(entry.id, on).catch(showError));
  }

  private async tell(entry: string, on: boolean): Promise<void> {
    try {
      await send("PATCH /api/events/{event}/entries/{entry}", {
        path: { ...this.desk.path, entry },
        body: { checked_in: on },
      });
    } finally {
      this.waiting -= 1;
      if (!this.waiting) await this.desk.load();
      if (!this.waiting) this.tapped.clear(); // nothing was tapped meanwhile: the server's word stands
    }
  }
}

export const MATTERS = ["disputes", "calls", "doubts", "over", "expired", "asked", "claims"] as const;
export type Matter = (typeof MATTERS)[number];

/** Where each is dealt with. */
export const TAB_OF: Record<Matter, string> = {
  disputes: "referee",
  calls: "referee",
  doubts: "referee",
  over: "games",
  expired: "games",
  asked: "people",
  claims: "people",
};

/** How many of each there are; what there is none of is left out. */
export function attention(
  entries: readonly EventEntry[],
  unfinished: readonly RecordedSummary[],
  calls: readonly RefereeCall[],
  doubts: readonly unknown[],
  claims: readonly ClaimInfo[],
): { matter: Matter; count: number }[] {
  const counts: Record<Matter, number> = {
    disputes: calls.filter((call) => call.kind === "dispute").length,
    calls: calls.filter((call) => call.kind === "call").length,
    doubts: doubts.length,
    over: unfinished.filter((game) => game.status === "over").length,
    expired: unfinished.filter((game) => game.status === "expired").length,
    asked: entries.filter((entry) => entry.status === "asked").length,
    claims: claims.filter((claim) => claim.state === "asked").length,
  };
  return MATTERS.map((matter) => ({ matter, count: counts[matter] })).filter(({ count }) => count > 0);
}

export interface RoundMatters {
  /** The stages that are played in rounds and have none yet. */
  unplanned: string[];
  /** Who has a seat in a round to come and takes no part in it. */
  gone: { stage: string; number: number; entries: string[] }[];
}

/** What an organiser has to seat, or to seat again. */
export function roundMatters({ stages }: Pick<EventRounds, "stages">, entries: readonly EventEntry[]): RoundMatters {
  const playing = new Set(entries.filter(({ status }) => status === "playing").map(({ id }) => id));
  const gone = stages.flatMap(({ stage, rounds, absences }) =>
    rounds
      .filter(({ state }) => state === "published" || state === "drafted")
      .map(({ number, tables }) => {
        const away = absences
          .filter(({ first, last }) => first <= number && number <= (last ?? number))
          .map(({ entry }) => entry);
        return {
          stage,
          number,
          entries: tables
            .flatMap(({ players }) => players)
            .filter((entry) => !playing.has(entry) || away.includes(entry)),
        };
      }),
  );
  return {
    unplanned: stages.filter(({ rounds }) => !rounds.length).map(({ stage }) => stage),
    gone: gone.filter((round) => round.entries.length),
  };
}
