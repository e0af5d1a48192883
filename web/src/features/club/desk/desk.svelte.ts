// What the desk knows of its event: loaded again after each change, without touching what somebody is typing.
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
import { EventLine } from "$data/eventLine.svelte";
import { LogQueue } from "./gameLogs.svelte";
import { byName, playing } from "$domain/starting";
import { gameName, mainStages, stageName } from "../event/planInWords";
import { currentStage } from "./timeFields";

const RANKS = ["recorder", "referee", "organiser"] as const;
export type Role = (typeof RANKS)[number];

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

const EVENT = "/api/events/{event}";
type Full<Short> = Short extends `${infer Method} ${infer Rest}`
  ? Extract<Name, `${Method} ${typeof EVENT}${Rest}`>
  : never;
type Shortened<Of> = Of extends `${infer Method} ${typeof EVENT}${infer Rest}` ? `${Method} ${Rest}` : never;
type Within<Of extends Name> = Omit<Sent<Of>, "path"> &
  (Sent<Of> extends { path: infer Path }
    ? keyof Path extends "event"
      ? unknown
      : { path: Omit<Path, "event"> }
    : never);

/**
 * An act that is asked about first. Its own term is on the button; `desk.${part}.${act}_about` and perhaps
 * `desk.${part}.${act}_title` say what is asked.
 */
type Asked = { [K in Key]: K extends `${infer Name}_about` ? (Name extends Key ? Name : never) : never }[Key];

export class Desk {
  readonly view: Query<DeskView>;
  /** Logs on their way in: they stay while other tabs are open. */
  readonly logs: LogQueue;
  private readonly line: EventLine;
  readonly info = $derived(this.shown.info);
  readonly entries = $derived(this.shown.entries);
  /** Games that are neither confirmed nor cancelled, the newest first. */
  readonly unfinished = $derived(this.shown.unfinished);
  readonly calls = $derived(this.shown.calls);
  readonly doubts = $derived(this.shown.doubts);
  /** Finished games of tables here that cannot be recorded now. */
  readonly heldUp = $derived(this.shown.heldUp);
  /** Who has said that a name of the list is theirs, the newest first. */
  readonly claims = $derived(this.shown.claims);
  readonly matters = $derived(attention(this.shown));
  readonly open = $derived(this.info.status === "open");
  readonly inRounds = $derived(this.info.stages.some(({ kind }) => kind === "rounds"));
  private readonly names = $derived(new Map(this.entries.map((entry) => [entry.id, entry.called])));

  constructor(readonly id: string) {
    this.logs = new LogQueue({
      previewLog: (text, site) => this.send("POST /logs/preview", { body: { text, site } }),
      enterLog: (body) => this.send("POST /logs", { body }),
    });
    this.view = new Query(() => viewOf(id), { revision: ({ info }) => info.revision, quiet: true });
    this.line = new EventLine(id, (revision) => void this.view.reach(revision));
  }

  private get shown(): DeskView {
    if (!this.view.value) throw new Error("The event is not loaded.");
    return this.view.value;
  }

  /** Whether changes by others no longer arrive; opening the line for the first time is no loss. */
  get lost(): boolean {
    const opens = this.line.link === "connecting" && this.line.revision === 0;
    return this.view.state === "stale" || (this.line.link !== "open" && !opens);
  }

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

  /** Send a request about this event, as `POST /games/{game}/points`. */
  async send<Short extends Shortened<Name>>(
    name: Short,
    given: Within<Full<Short>>,
    signal?: AbortSignal,
  ): Promise<Answer<Full<Short>>> {
    const parts = given as Parts;
    const whole = { ...parts, path: { ...parts.path, event: this.id } };
    return (await answerTo(name.replace(" ", ` ${EVENT}`), whole, signal)) as Answer<Full<Short>>;
  }

  /** Send a change of one's own, then load what it has changed. */
  async after(change: Promise<unknown>): Promise<void> {
    await change;
    await this.load();
  }

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

  players(): EventEntry[] {
    return playing(this.entries);
  }

  /** Whoever may have sat at a game: those who have left, too. */
  sat(): EventEntry[] {
    return byName(this.entries.filter(({ status }) => status === "playing" || status === "withdrawn"));
  }
}

export const [theDesk, setDesk] = createContext<Desk>();

export interface InRounds {
  path: { stage: string };
  applyResponse: (answer: StageRounds) => void;
}

/** Who is there: taps down a list show at once, and are sent one after another. */
export class CheckIns {
  private readonly tapped = new SvelteMap<string, boolean>();
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly desk: Desk) {}

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
      await this.desk.send("PATCH /entries/{entry}", { path: { entry }, body: { checked_in: on } });
    } finally {
      this.waiting -= 1;
      if (!this.waiting) await this.desk.load();
      if (!this.waiting) this.tapped.clear(); // nothing was tapped meanwhile: the server's word stands
    }
  }
}

/** What may need attention: the tab where it is dealt with, and how many there are, unless there is none. */
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

/** The stages without rounds yet, and who has a seat in a round to come and takes no part in it. */
export function roundMatters({ stages }: Pick<EventRounds, "stages">, entries: readonly EventEntry[]) {
  const playing = new Set(entries.filter(({ status }) => status === "playing").map(({ id }) => id));
  const gone = stages.flatMap(({ stage, rounds, absences }) =>
    rounds
      .filter(({ state }) => state === "published" || state === "drafted")
      .map(({ number, tables }) => {
        const away = absences.filter(({ first, last }) => first <= number && number <= (last ?? number));
        const seated = tables.flatMap(({ players }) => players);
        const misses = (entry: string): boolean =>
          !playing.has(entry) || away.some((absence) => absence.entry === entry);
        return { stage, number, entries: seated.filter(misses) };
      }),
  );
  return {
    unplanned: stages.filter(({ rounds }) => !rounds.length).map(({ stage }) => stage),
    gone: gone.filter((round) => round.entries.length),
  };
}
