// What the desk knows of its event: loaded again after each change, without touching what somebody is typing.
import { createContext } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import type { Key } from "$generated/keys";
import { learnYaku } from "$domain/ownYakuNames.svelte";
import type { ClaimInfo, EventEntry, EventRounds, RecordedSummary, RefereeCall, StageRounds } from "$generated/wire";
import { send } from "$data/requests";
import { showError } from "$data/notices.svelte";
import { listed, maybe, t } from "$domain/words.svelte";
import { confirm, type Question } from "$ui/confirmation.svelte";
import { query, Query } from "$data/query.svelte";
import { EventLine } from "$data/eventLine.svelte";
import { LogQueue } from "./gameLogs.svelte";
import { byName, playing } from "$domain/starting";
import { gameName, mainStages, stageName } from "../event/planInWords";
import { currentStage } from "./timeFields";

const RANKS = ["recorder", "referee", "organiser"] as const;
export type Role = (typeof RANKS)[number];

/** Whoever may not use the desk sees the event alone. */
async function viewOf(event: string) {
  const path = { event };
  const info = await send("GET /api/events/{event}", { path });
  learnYaku(info.own_yaku);
  if (!info.role) return { info, entries: [], unfinished: [], calls: [], doubts: [], heldUp: [], claims: [] };
  const [{ entries }, { games: unfinished }, { calls }, { games: doubts, held_up: heldUp }, { claims }] =
    await Promise.all([
      send("GET /api/events/{event}/entries", { path }),
      send("GET /api/events/{event}/games", { path, query: { unfinished: true } }),
      send("GET /api/events/{event}/calls", { path }),
      send("GET /api/events/{event}/doubts", { path }),
      info.role === "organiser" ? send("GET /api/events/{event}/claims", { path }) : { claims: [] },
    ]);
  return { info, entries, unfinished, calls, doubts, heldUp, claims };
}
type DeskView = Awaited<ReturnType<typeof viewOf>>;

/**
 * An act that is asked about first. Its own term is on the button; `desk.${part}.${act}_about` and perhaps
 * `desk.${part}.${act}_title` say what is asked.
 */
type Asked = { [K in Key]: K extends `${infer Name}_about` ? (Name extends Key ? Name : never) : never }[Key];

export class Desk {
  readonly view: Query<DeskView>;
  /** Logs on their way in: they stay while other tabs are open. */
  readonly logs: LogQueue;
  /** The part of addresses that names the event. */
  readonly path: { event: string };
  private readonly line: EventLine;
  private readonly names = $derived(new Map(this.entries.map((entry) => [entry.id, entry.called])));

  constructor(readonly id: string) {
    const path = (this.path = { event: id });
    this.logs = new LogQueue({
      previewLog: (text, site) => send("POST /api/events/{event}/logs/preview", { path, body: { text, site } }),
      enterLog: (body) => send("POST /api/events/{event}/logs", { path, body }),
    });
    this.view = new Query(() => viewOf(id), { revision: ({ info }) => info.revision, quiet: true });
    this.line = new EventLine(id, (revision) => void this.view.reach(revision));
  }

  private get shown(): DeskView {
    if (!this.view.value) throw new Error("The event is not loaded.");
    return this.view.value;
  }

  get info() {
    return this.shown.info;
  }

  get entries() {
    return this.shown.entries;
  }

  /** Games that are neither confirmed nor cancelled, the newest first. */
  get unfinished() {
    return this.shown.unfinished;
  }

  get calls() {
    return this.shown.calls;
  }

  /** Games that a referee should look at. */
  get doubts() {
    return this.shown.doubts;
  }

  /** Finished games of tables here that cannot be recorded now. */
  get heldUp() {
    return this.shown.heldUp;
  }

  /** Who has said that a name of the list is theirs, the newest first. */
  get claims() {
    return this.shown.claims;
  }

  /** Whether changes by others no longer arrive; opening the line for the first time is no loss. */
  get lost(): boolean {
    const opens = this.line.link === "connecting" && this.line.revision === 0;
    return this.view.state === "stale" || (this.line.link !== "open" && !opens);
  }

  /** Load everything, and follow the event from now on. */
  async start(): Promise<void> {
    await this.view.load();
    if (this.view.value) this.line.open();
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

  /** Ask before a change of one's own. */
  ask(
    name: Asked,
    values: Record<string, string | number>,
    change: (why: string) => Promise<unknown>,
    more: Partial<Question> = {},
  ): void {
    const title = `${name}_title`;
    confirm({
      title: t(maybe(title, "") ? (title as Key) : name, values),
      about: t(`${name}_about`, values),
      act: t(name, values),
      go: (why) => this.after(change(why)),
      ...more,
    });
  }

  /** A query of a component that loads again whenever the event has changed. */
  query<Value>(get: (signal: AbortSignal) => Promise<Value>): Query<Value> {
    return query((signal) => {
      void this.info;
      return get(signal);
    });
  }

  /** What needs somebody's attention now. */
  get matters() {
    return attention(this.entries, this.unfinished, this.calls, [...this.doubts, ...this.heldUp], this.claims);
  }

  may(role: Role): boolean {
    const { role: mine } = this.info;
    return mine !== null && RANKS.indexOf(mine) >= RANKS.indexOf(role);
  }

  /** Whether the event goes on. */
  get open(): boolean {
    return this.info.status === "open";
  }

  /** Whether a stage is played in rounds. */
  get inRounds(): boolean {
    return this.info.stages.some(({ kind }) => kind === "rounds");
  }

  name(entry: string): string {
    return this.names.get(entry) ?? entry;
  }

  listed(entries: readonly string[]): string {
    return listed(entries.map((entry) => this.name(entry)));
  }

  stage(id: string): string {
    return stageName(this.info.stages, id);
  }

  /** What a game is called in the event. */
  game(game: Parameters<typeof gameName>[1] & { number?: number | null }): string {
    return gameName(this.info.stages, game, game.number ? t("desk.games.number", { number: game.number }) : "");
  }

  /**
   * The stage that is being played: that of the newest unfinished game, else the one open by its dates, else the first.
   * Free play beside rounds is none.
   */
  stageInPlay(): string {
    const stages = mainStages(this.info.stages);
    const game = this.unfinished.find(
      (candidate) => candidate.status === "playing" && stages.some(({ id }) => id === candidate.stage),
    );
    return game?.stage ?? currentStage(stages, Date.now());
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

export const [theDesk, setDesk] = createContext<Desk>();

/** What each part of the page of rounds gets. */
export interface InRounds {
  path: { event: string; stage: string };
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

/** What may need attention, and the tab where it is dealt with. */
export const TAB_OF = {
  disputes: "referee",
  calls: "referee",
  doubts: "referee",
  over: "games",
  expired: "games",
  asked: "people",
  claims: "people",
} as const;
type Matter = keyof typeof TAB_OF;

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
  const matters = Object.keys(counts) as Matter[];
  return matters.map((matter) => ({ matter, count: counts[matter] })).filter(({ count }) => count > 0);
}

/** The stages without rounds yet, and who has a seat in a round to come and takes no part in it. */
export function roundMatters({ stages }: Pick<EventRounds, "stages">, entries: readonly EventEntry[]) {
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
