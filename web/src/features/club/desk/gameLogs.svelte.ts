// Imports logs of games played elsewhere into an event: reads each log and assigns its players to entries.
// Logs are read and entered one after another; failed ones stay in the list.
import type { LogBody, LogPreview, RecordedGameInfo } from "$generated/wire";
import { toFieldValue, toInstant } from "./timeFields";

export interface LogItem {
  readonly key: number;
  readonly name: string;
  readonly text: string;
  /** `open`: read but not entered. `unread`: could not be read. `known`: the event already has this game. */
  state: "reading" | "unread" | "open" | "entering" | "entered" | "known";
  preview: LogPreview | null;
  /** Entry at each seat; empty until chosen. */
  players: string[];
  at: string;
  problem: string;
  game: string;
}

const TENHOU_GAME = /\b(20\d\d)(\d\d)(\d\d)(\d\d)gm-/;

/** Start of a Tenhou game, to the hour, from its id in Japanese time; null for other logs. */
export function playedAt(name: string, text: string): string | null {
  const match = TENHOU_GAME.exec(name) ?? TENHOU_GAME.exec(text);
  if (!match) return null;
  const [, year, month, day, hour] = match;
  const at = new Date(`${year}-${month}-${day}T${hour}:00:00+09:00`);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

export function hasAllPlayers({ players }: Pick<LogItem, "players">): boolean {
  return players.length > 0 && players.every(Boolean) && new Set(players).size === players.length;
}

function ready(item: LogItem): boolean {
  return item.state === "open" && hasAllPlayers(item);
}

export const MAX_LOGS = 200;

interface LogRequests {
  previewLog: (text: string, site: string | null) => Promise<LogPreview>;
  enterLog: (body: LogBody) => Promise<Pick<RecordedGameInfo, "id">>;
}

export class LogQueue {
  items = $state<LogItem[]>([]);
  /** Overrides the site given in the logs; empty to use theirs. */
  site = $state("");
  remember = $state(true);
  private runs = $state(0);
  progress = $state.raw({ done: 0, all: 0 });
  /** Number of logs per state; `waiting`: players are missing, or the log was refused. */
  readonly counts = $derived.by(() => {
    const count = (fits: (item: LogItem) => boolean): number => this.items.filter(fits).length;
    const entered = count(({ state }) => state === "entered");
    const known = count(({ state }) => state === "known");
    const able = count(ready);
    return { entered, known, ready: able, waiting: this.items.length - entered - known - able };
  });
  private pendingRuns: Promise<void> = Promise.resolve();
  private lastKey = 0;

  constructor(private readonly api: LogRequests) {}

  get busy(): boolean {
    return this.runs > 0;
  }

  get unfinished(): boolean {
    return this.counts.ready + this.counts.waiting > 0;
  }

  /** Add a log; false if the list is full or already contains it. */
  add(name: string, text: string): boolean {
    if (this.items.length >= MAX_LOGS || this.items.some((item) => item.text === text)) return false;
    const at = toFieldValue(playedAt(name, text));
    const unread = { state: "reading", preview: null, problem: "", game: "" } as const;
    this.items.push({ key: ++this.lastKey, name, text, at, ...unread, players: [] });
    return true;
  }

  remove(key: number): void {
    this.items = this.items.filter((item) => item.key !== key);
  }

  clear(): void {
    this.items = this.items.filter((item) => item.state !== "entered" && item.state !== "known");
  }

  /** Assign an entry to a seat, and to the same player name in the other logs. */
  choose(item: LogItem, seat: number, entry: string): void {
    const before = item.players[seat];
    item.players[seat] = entry;
    const name = item.preview?.names[seat];
    if (!name || !entry) return;
    for (const other of this.items) {
      if (other.state !== "open" || other.preview?.site !== item.preview?.site || other.players.includes(entry))
        continue;
      const at = other.preview?.names.indexOf(name) ?? -1;
      if (at >= 0 && (!other.players[at] || other.players[at] === before)) other.players[at] = entry;
    }
  }

  read(): Promise<void> {
    return this.process(
      (item) => item.state === "reading",
      (item) => this.readOne(item),
    );
  }

  /** Retry a log, for example after a network error. */
  retry(item: LogItem): Promise<void> {
    item.state = "reading";
    return this.read();
  }

  /** Override the site and match the nicknames again. */
  setSite(site: string): Promise<void> {
    this.site = site;
    for (const item of this.items) if (item.state === "open") item.state = "reading";
    return this.read();
  }

  enter(stage: string): Promise<void> {
    for (const item of this.items) if (ready(item)) item.problem = "";
    return this.process(
      (item) => ready(item) && !item.problem,
      (item) => this.enterOne(item, stage),
    );
  }

  /** Process matching logs one after another, after earlier runs. */
  private process(wanted: (item: LogItem) => boolean, work: (item: LogItem) => Promise<void>): Promise<void> {
    this.runs += 1;
    const run = async (): Promise<void> => {
      this.progress = { done: 0, all: this.items.filter(wanted).length };
      for (let item = this.items.find(wanted); item; item = this.items.find(wanted)) {
        await work(item);
        const done = this.progress.done + 1;
        this.progress = { done, all: Math.max(this.progress.all, done + this.items.filter(wanted).length) };
      }
      this.runs -= 1;
    };
    return (this.pendingRuns = this.pendingRuns.then(run));
  }

  private async readOne(item: LogItem): Promise<void> {
    item.problem = "";
    try {
      const preview = await this.api.previewLog(item.text, this.site || null);
      item.players = preview.players.map((entry, seat) => item.players[seat] || entry || ""); // keep earlier choices
      item.preview = preview;
      [item.state, item.game] = preview.known === null ? ["open", ""] : ["known", preview.known];
    } catch (error) {
      [item.state, item.problem] = ["unread", messageOf(error)];
    }
  }

  private async enterOne(item: LogItem, stage: string): Promise<void> {
    item.state = "entering";
    const { text, players, at } = item;
    try {
      const { site, remember } = this;
      const body = { text, stage, players: [...players], site: site || null, remember, at: toInstant(at) };
      const { id } = await this.api.enterLog(body);
      const twice = this.items.some((other) => other !== item && other.game === id);
      [item.state, item.game] = [twice ? "known" : "entered", id];
    } catch (error) {
      [item.state, item.problem] = ["open", messageOf(error)];
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
