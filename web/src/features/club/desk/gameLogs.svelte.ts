// Logs of games that were played elsewhere, on their way into an event: what each tells, and whose seats are whose.
// They are read and entered one after another; whatever fails stays in the list.
import type { LogBody, LogPreview, RecordedGameInfo } from "$generated/wire";
import { fieldOf, instantOf } from "./timeFields";

export interface LogItem {
  readonly key: number;
  readonly name: string;
  readonly text: string;
  /** `open`: waits to be entered. `unread`: the server could not read it. `known`: the event has this game already. */
  state: "reading" | "unread" | "open" | "entering" | "entered" | "known";
  preview: LogPreview | null;
  /** The entry at each seat; empty where nobody is chosen yet. */
  players: string[];
  at: string;
  problem: string;
  game: string;
}

const TENHOU_GAME = /\b(20\d\d)(\d\d)(\d\d)(\d\d)gm-/;

/** When a game of Tenhou began, to the hour: the name of the game tells it in Japanese time. Null for other logs. */
export function playedAt(name: string, text: string): string | null {
  const match = TENHOU_GAME.exec(name) ?? TENHOU_GAME.exec(text);
  if (!match) return null;
  const [, year, month, day, hour] = match;
  const at = new Date(`${year}-${month}-${day}T${hour}:00:00+09:00`);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

export function complete({ players }: Pick<LogItem, "players">): boolean {
  return players.length > 0 && players.every(Boolean) && new Set(players).size === players.length;
}

function ready(item: LogItem): boolean {
  return item.state === "open" && complete(item);
}

export const MOST_LOGS = 200;

interface LogRequests {
  previewLog: (text: string, site: string | null) => Promise<LogPreview>;
  enterLog: (body: LogBody) => Promise<Pick<RecordedGameInfo, "id">>;
}

export class LogQueue {
  items = $state<LogItem[]>([]);
  /** Where the games were played, if the logs do not tell; empty: as they tell. */
  site = $state("");
  remember = $state(true);
  private under = $state(0);
  progress = $state.raw({ done: 0, all: 0 });
  /** How many logs are in each state; `waiting`: players must be chosen, or the log was refused. */
  readonly counts = $derived.by(() => {
    const count = (fits: (item: LogItem) => boolean): number => this.items.filter(fits).length;
    const entered = count(({ state }) => state === "entered");
    const known = count(({ state }) => state === "known");
    const able = count(ready);
    return { entered, known, ready: able, waiting: this.items.length - entered - known - able };
  });
  private line: Promise<void> = Promise.resolve();
  private last = 0;

  constructor(private readonly api: LogRequests) {}

  get busy(): boolean {
    return this.under > 0;
  }

  get unfinished(): boolean {
    return this.counts.ready + this.counts.waiting > 0;
  }

  /** Take a text into the list; false if the list is full or has it already. */
  add(name: string, text: string): boolean {
    if (this.items.length >= MOST_LOGS || this.items.some((item) => item.text === text)) return false;
    const at = fieldOf(playedAt(name, text));
    const unread = { state: "reading", preview: null, problem: "", game: "" } as const;
    this.items.push({ key: ++this.last, name, text, at, ...unread, players: [] });
    return true;
  }

  remove(key: number): void {
    this.items = this.items.filter((item) => item.key !== key);
  }

  clear(): void {
    this.items = this.items.filter((item) => item.state !== "entered" && item.state !== "known");
  }

  /** Choose who sits at a seat; the same name means the same player in all logs. */
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
    return this.each(
      (item) => item.state === "reading",
      (item) => this.readOne(item),
    );
  }

  /** Read again, as when the server did not answer. */
  again(item: LogItem): Promise<void> {
    item.state = "reading";
    return this.read();
  }

  /** The games were played elsewhere than the logs tell: other nicknames may find their players. */
  setSite(site: string): Promise<void> {
    this.site = site;
    for (const item of this.items) if (item.state === "open") item.state = "reading";
    return this.read();
  }

  enter(stage: string): Promise<void> {
    for (const item of this.items) if (ready(item)) item.problem = "";
    return this.each(
      (item) => ready(item) && !item.problem,
      (item) => this.enterOne(item, stage),
    );
  }

  /** One after another, after what is already under way. */
  private each(wanted: (item: LogItem) => boolean, work: (item: LogItem) => Promise<void>): Promise<void> {
    this.under += 1;
    const run = async (): Promise<void> => {
      this.progress = { done: 0, all: this.items.filter(wanted).length };
      for (let item = this.items.find(wanted); item; item = this.items.find(wanted)) {
        await work(item);
        const done = this.progress.done + 1;
        this.progress = { done, all: Math.max(this.progress.all, done + this.items.filter(wanted).length) };
      }
      this.under -= 1;
    };
    return (this.line = this.line.then(run));
  }

  private async readOne(item: LogItem): Promise<void> {
    item.problem = "";
    try {
      const preview = await this.api.previewLog(item.text, this.site || null);
      item.players = preview.players.map((entry, seat) => item.players[seat] || entry || ""); // a choice stays
      item.preview = preview;
      [item.state, item.game] = preview.known === null ? ["open", ""] : ["known", preview.known];
    } catch (error) {
      [item.state, item.problem] = ["unread", said(error)];
    }
  }

  private async enterOne(item: LogItem, stage: string): Promise<void> {
    item.state = "entering";
    const { text, players, at } = item;
    try {
      const { site, remember } = this;
      const body = { text, stage, players: [...players], site: site || null, remember, at: instantOf(at) };
      const { id } = await this.api.enterLog(body);
      const twice = this.items.some((other) => other !== item && other.game === id);
      [item.state, item.game] = [twice ? "known" : "entered", id];
    } catch (error) {
      [item.state, item.problem] = ["open", said(error)];
    }
  }
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
