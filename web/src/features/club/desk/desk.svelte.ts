// State of an event's desk, reloaded after each change without touching unsaved form input.
import { createContext } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import type { Key } from "$generated/keys";
import { learnYaku } from "$domain/ownYakuNames.svelte";
import type { EventEntry, EventRounds, StageRounds } from "$generated/wire";
import { answerTo, send, type Answer, type Name, type Parts, type Sent } from "$data/requests";
import { showError } from "$data/notices.svelte";
import { listed, maybe, t } from "$domain/words.svelte";
import { confirm, type Question } from "$ui/confirmation";
import { query, Query } from "$data/query.svelte";
import { EventSocket } from "$data/eventSocket.svelte";
import { LogQueue } from "./gameLogs.svelte";
import { byName, playing } from "$domain/starting";
import { gameName, mainStages, stageName } from "../event/planInWords";
import { currentStage } from "./timeFields";

const RANKS = ["recorder", "referee", "organiser"] as const;
export type Role = (typeof RANKS)[number];

async function loadView(event: string) {
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
type DeskView = Awaited<ReturnType<typeof loadView>>;

const EVENT = "/api/events/{event}";
type FullName<Short> = Short extends `${infer Method} ${infer Rest}`
  ? Extract<Name, `${Method} ${typeof EVENT}${Rest}`>
  : never;
type ShortName<Of> = Of extends `${infer Method} ${typeof EVENT}${infer Rest}` ? `${Method} ${Rest}` : never;
type EventRequest<Of extends Name> = Omit<Sent<Of>, "path"> &
  (Sent<Of> extends { path: infer Path }
    ? keyof Path extends "event"
      ? unknown
      : { path: Omit<Path, "event"> }
    : never);

/**
 * An action that needs confirmation. Its own term labels the button; `desk.${part}.${act}_about` explains it, and
 * `desk.${part}.${act}_title` may give the dialog another title.
 */
type ConfirmedAction = { [K in Key]: K extends `${infer Name}_about` ? (Name extends Key ? Name : never) : never }[Key];

export class Desk {
  readonly view: Query<DeskView>;
  /** Logs being imported; kept while other tabs are open. */
  readonly logs: LogQueue;
  private readonly socket: EventSocket;
  readonly info = $derived(this.data.info);
  readonly entries = $derived(this.data.entries);
  /** Games neither confirmed nor cancelled, newest first. */
  readonly unfinished = $derived(this.data.unfinished);
  readonly calls = $derived(this.data.calls);
  readonly doubts = $derived(this.data.doubts);
  /** Finished online games that cannot be recorded yet. */
  readonly heldUp = $derived(this.data.heldUp);
  /** Claims to entries of the player list, newest first. */
  readonly claims = $derived(this.data.claims);
  readonly attention = $derived(attention(this.data));
  readonly open = $derived(this.info.status === "open");
  readonly inRounds = $derived(this.info.stages.some(({ kind }) => kind === "rounds"));
  private readonly names = $derived(new Map(this.entries.map((entry) => [entry.id, entry.called])));

  constructor(readonly id: string) {
    this.logs = new LogQueue({
      previewLog: (text, site) => this.send("POST /logs/preview", { body: { text, site } }),
      enterLog: (body) => this.send("POST /logs", { body }),
    });
    this.view = new Query(() => loadView(id), { revision: ({ info }) => info.revision, quiet: true });
    this.socket = new EventSocket(id, (revision) => void this.view.catchUp(revision));
  }

  private get data(): DeskView {
    if (!this.view.value) throw new Error("The event is not loaded.");
    return this.view.value;
  }

  /** Whether updates have stopped; false while the first connection opens. */
  get disconnected(): boolean {
    const opens = this.socket.link === "connecting" && this.socket.revision === 0;
    return this.view.state === "stale" || (this.socket.link !== "open" && !opens);
  }

  async start(): Promise<void> {
    await this.view.load();
    if (this.view.value) this.socket.open();
  }

  close(): void {
    this.socket.close();
  }

  /** Reload after a change made here. While the line is open, its update may already have started a reload. */
  load(): Promise<void> {
    return this.socket.link === "open" ? this.view.changed() : this.view.load();
  }

  /** Send a request about this event, such as `POST /games/{game}/points`. */
  async send<Short extends ShortName<Name>>(
    name: Short,
    request: EventRequest<FullName<Short>>,
    signal?: AbortSignal,
  ): Promise<Answer<FullName<Short>>> {
    const parts = request as Parts;
    const full = { ...parts, path: { ...parts.path, event: this.id } };
    return (await answerTo(name.replace(" ", ` ${EVENT}`), full, signal)) as Answer<FullName<Short>>;
  }

  /** Await a change, then reload. */
  async reloadAfter(change: Promise<unknown>): Promise<void> {
    await change;
    await this.load();
  }

  confirm(
    name: ConfirmedAction,
    values: Record<string, string | number>,
    change: (why: string) => Promise<unknown>,
    more: Partial<Question> = {},
  ): void {
    const title = `${name}_title`;
    confirm({
      title: t(maybe(title, "") ? (title as Key) : name, values),
      about: t(`${name}_about`, values),
      act: t(name, values),
      go: (why) => this.reloadAfter(change(why)),
      ...more,
    });
  }

  /** Create a component's query that reloads whenever the event changes. */
  query<Value>(get: (signal: AbortSignal) => Promise<Value>): Query<Value> {
    return query((signal) => {
      void this.info;
      return get(signal);
    });
  }

  may(role: Role): boolean {
    const { role: mine } = this.info;
    return mine !== null && RANKS.indexOf(mine) >= RANKS.indexOf(role);
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

  game(game: Parameters<typeof gameName>[1] & { number?: number | null }): string {
    return gameName(this.info.stages, game, game.number ? t("desk.games.number", { number: game.number }) : "");
  }

  /**
   * The current stage: that of the newest unfinished game, else the one open by its dates, else the first.
   * Free play beside rounds does not count.
   */
  stageInPlay(): string {
    const stages = mainStages(this.info.stages);
    const game = this.unfinished.find(
      (candidate) => candidate.status === "playing" && stages.some(({ id }) => id === candidate.stage),
    );
    return game?.stage ?? currentStage(stages, Date.now());
  }

  players(): EventEntry[] {
    return playing(this.entries);
  }

  /** Players who may have taken part in a game, including withdrawn ones. */
  participants(): EventEntry[] {
    return byName(this.entries.filter(({ status }) => status === "playing" || status === "withdrawn"));
  }
}

export const [currentDesk, provideDesk] = createContext<Desk>();

export interface StageRoundsProps {
  path: { stage: string };
  applyResponse: (answer: StageRounds) => void;
}

/** Check-ins that are visible at once and sent one after another. */
export class CheckIns {
  private readonly pending = new SvelteMap<string, boolean>();
  private unsent = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly desk: Desk) {}

  has(entry: EventEntry): boolean {
    return this.pending.get(entry.id) ?? Boolean(entry.checked_in);
  }

  toggle(entry: EventEntry): void {
    const on = !this.has(entry);
    this.pending.set(entry.id, on);
    this.unsent += 1;
    this.last = this.last.then(() => this.send(entry.id, on).catch(showError));
  }

  private async send(entry: string, on: boolean): Promise<void> {
    try {
      await this.desk.send("PATCH /entries/{entry}", { path: { entry }, body: { checked_in: on } });
    } finally {
      this.unsent -= 1;
      if (!this.unsent) await this.desk.load();
      if (!this.unsent) this.pending.clear(); // no taps in between, so the server's state is current
    }
  }
}

/** Matters that need attention, each with its tab and count; empty ones are omitted. */
export function attention({ entries, unfinished, calls, doubts, heldUp, claims }: Omit<DeskView, "info">) {
  const matters = [
    { matter: "disputes", tab: "referee", all: calls.filter(({ kind }) => kind === "dispute") },
    { matter: "calls", tab: "referee", all: calls.filter(({ kind }) => kind === "call") },
    { matter: "doubts", tab: "referee", all: [...doubts, ...heldUp] },
    { matter: "over", tab: "games", all: unfinished.filter(({ status }) => status === "over") },
    { matter: "expired", tab: "games", all: unfinished.filter(({ status }) => status === "expired") },
    { matter: "asked", tab: "people", all: entries.filter(({ status }) => status === "asked") },
    { matter: "claims", tab: "people", all: claims.filter(({ state }) => state === "asked") },
  ] as const;
  return matters.flatMap(({ all, ...matter }) => (all.length ? [{ ...matter, count: all.length }] : []));
}

/** Stages without rounds, and upcoming rounds that seat absent or withdrawn players. */
export function roundProblems({ stages }: Pick<EventRounds, "stages">, entries: readonly EventEntry[]) {
  const playing = new Set(entries.filter(({ status }) => status === "playing").map(({ id }) => id));
  const seatsToFill = stages.flatMap(({ stage, rounds, absences }) =>
    rounds
      .filter(({ state }) => state === "published" || state === "drafted")
      .map(({ number, tables }) => {
        const absent = absences.filter(({ first, last }) => first <= number && number <= (last ?? number));
        const seated = tables.flatMap(({ players }) => players);
        const isAbsent = (entry: string): boolean =>
          !playing.has(entry) || absent.some((absence) => absence.entry === entry);
        return { stage, number, entries: seated.filter(isAbsent) };
      }),
  );
  return {
    unplanned: stages.filter(({ rounds }) => !rounds.length).map(({ stage }) => stage),
    seatsToFill: seatsToFill.filter((round) => round.entries.length),
  };
}
