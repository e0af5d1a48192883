// Logs of games that were played elsewhere, on their way into an event: what each tells, and whose seats are whose.
import type { LogPreview } from "$generated/wire";

/** `open`: read, and waits to be entered. `unread`: the server could not read it. `known`: the event has this game already. */
export type LogState = "reading" | "unread" | "open" | "entering" | "entered" | "known";

export interface LogItem {
  readonly key: number;
  /** The name of the file. */
  readonly name: string;
  readonly text: string;
  state: LogState;
  preview: LogPreview | null;
  /** The entry at each seat; empty where nobody is chosen yet. */
  players: string[];
  /** When the game was played, as a field of a form shows it. */
  at: string;
  /** What the server refused last. */
  problem: string;
  /** The game of the event that the log has become. */
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

/** Whether everybody at the table is known and nobody sits twice. */
export function complete({ players }: Pick<LogItem, "players">): boolean {
  return players.length > 0 && players.every(Boolean) && new Set(players).size === players.length;
}

/** Whether a log can be entered now. */
export function ready(item: LogItem): boolean {
  return item.state === "open" && complete(item);
}

/** Give whoever is called `name` at a site the same entry in all open logs, where they had none or `before`. */
export function learnPlayer(items: readonly LogItem[], site: string, name: string, entry: string, before = ""): void {
  if (!name) return;
  for (const item of items) {
    if (item.state !== "open" || item.preview?.site !== site || item.players.includes(entry)) continue;
    const seat = item.preview.names.indexOf(name);
    if (seat >= 0 && (!item.players[seat] || item.players[seat] === before)) item.players[seat] = entry;
  }
}

/** The players of a log as far as the server finds them. A choice that somebody made before stays. */
export function matchedPlayers(preview: LogPreview, before: readonly string[]): string[] {
  return preview.players.map((name, seat) => before[seat] || name || "");
}

export interface Tally {
  entered: number;
  known: number;
  /** Ready to be entered. */
  ready: number;
  /** Waiting for somebody to choose players, or refused. */
  waiting: number;
}

/** What became of the logs. */
export function tallied(items: readonly LogItem[]): Tally {
  const count = (fits: (item: LogItem) => boolean): number => items.filter(fits).length;
  const ended = count(({ state }) => state === "entered" || state === "known");
  const able = count(ready);
  return {
    entered: count(({ state }) => state === "entered"),
    known: count(({ state }) => state === "known"),
    ready: able,
    waiting: items.length - ended - able,
  };
}
