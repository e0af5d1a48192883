// What waits to be sent. Each entry names the one that it follows, so the server counts none twice and loses none.
import { Refused } from "$data/requests";
import type { HandBody, HandConflictBody, RecordedGameInfo, StartRecorded } from "$generated/wire";
import type { Store } from "./offlineStore";

type Conflict = Pick<HandConflictBody, "theirs" | "head">;

/** An entry for a game. One that the server refused, or that is in conflict, waits until somebody decides. */
export interface Waiting {
  order: number;
  event: string;
  game: string;
  body: HandBody;
  at: string;
  refused: string;
  conflict: Conflict | null;
}

export interface Starting {
  event: string;
  body: StartRecorded;
  refused: string;
}

/** The entries as a chain that begins at `head`, with nothing left to decide. */
export function rebased(waiting: readonly Waiting[], head: string): Waiting[] {
  return waiting.map((queued, i) => ({
    ...queued,
    body: { ...queued.body, follows: waiting[i - 1]?.body.id ?? head },
    conflict: null,
    refused: "",
  }));
}

export function without(waiting: readonly Waiting[], id: string, head: string): Waiting[] {
  const rest = waiting.filter((queued) => queued.body.id !== id);
  return rest.length === waiting.length ? [...waiting] : rebased(rest, head);
}

/** What the server does not have yet: entries are sent in order, and one that it has may still stand in the queue. */
export function unknownTo(info: Pick<RecordedGameInfo, "head" | "hands">, waiting: readonly Waiting[]): Waiting[] {
  const known = new Set([info.head, ...info.hands.map((hand) => hand.version)]);
  return waiting
    .slice(waiting.findLastIndex((queued) => known.has(queued.body.id)) + 1)
    .filter((queued) => !queued.refused && !queued.conflict);
}

/**
 * What the next entry follows: the last that waits, else the last that was sent and that the page has not seen in the
 * game yet (it is still `shown` as waiting), else the head.
 */
export function following(
  info: Pick<RecordedGameInfo, "head" | "hands">,
  waiting: readonly Waiting[],
  shown: readonly Waiting[],
): string {
  return (waiting.at(-1) ?? unknownTo(info, shown).at(-1))?.body.id ?? info.head;
}

export type Decision = "theirs" | "after" | "instead";

export function decided(waiting: readonly Waiting[], decision: Decision): Waiting[] {
  const [first, ...rest] = waiting;
  if (!first?.conflict) return [...waiting];
  const { theirs, head } = first.conflict;
  if (decision === "theirs") return rebased(rest, head);
  if (decision === "after") return rebased(waiting, head);
  const place = theirs.findLast((version) => version.hand !== null)?.place ?? 0;
  return rebased([{ ...first, body: { ...first.body, action: "replace", place } }, ...rest], head);
}

export function replaceable(waiting: Waiting): boolean {
  return (
    waiting.body.action === "add" &&
    (waiting.conflict?.theirs.some((version) => version.hand !== null && version.action === "add") ?? false)
  );
}

export interface Post {
  start: (starting: Starting) => Promise<unknown>;
  hand: (waiting: Waiting) => Promise<unknown>;
}

const LATER = new Set([401, 429]); // signed out, too many requests

/** Whether the request may be sent again as it is: no answer came, or none that is about the entry. */
function isLost(error: unknown): boolean {
  return !(error instanceof Refused) || error.code === "offline" || error.status >= 500 || LATER.has(error.status);
}

/** Send waiting entries in order. A retry of an answered entry gets the first answer, so sending again is safe. */
export class Outbox {
  private running: Promise<void> | null = null;
  private again = false;

  constructor(
    private readonly store: Store,
    private readonly post: Post,
    private readonly changed: (game: string) => Promise<void>,
  ) {}

  /** Send everything that can be sent; calls while it runs make it look once more. */
  flush(): Promise<void> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    this.running = this.all().finally(() => (this.running = null));
    return this.running;
  }

  private async all(): Promise<void> {
    do {
      this.again = false;
      if (!(await this.starts())) return;
      const games = new Set((await this.store.waiting()).map((queued) => queued.game));
      for (const game of games) if (!(await this.hands(game))) return;
    } while (this.again);
  }

  /** Whether the network holds. */
  private async starts(): Promise<boolean> {
    for (const starting of await this.store.starting()) {
      if (starting.refused) continue;
      try {
        await this.post.start(starting);
        await this.store.delete("starting", starting.body.id);
      } catch (error) {
        if (isLost(error)) return false;
        await this.store.put("starting", { ...starting, refused: (error as Refused).message || "?" });
      }
      await this.changed(starting.body.id);
    }
    return true;
  }

  private async hands(game: string): Promise<boolean> {
    const held = (await this.store.starting()).some((starting) => starting.body.id === game);
    for (;;) {
      const [first] = held ? [] : await this.store.waiting(game);
      if (!first || first.refused || first.conflict) return true;
      try {
        await this.post.hand(first);
        await this.store.delete("waiting", first.order);
      } catch (error) {
        if (isLost(error)) return false;
        await this.store.put("waiting", stopped(first, error as Refused));
      }
      await this.changed(game);
    }
  }
}

function stopped(waiting: Waiting, error: Refused): Waiting {
  if (error.code !== "hand_conflict") return { ...waiting, refused: error.message || error.code };
  const { theirs, head } = error.answer as HandConflictBody;
  return { ...waiting, conflict: { theirs, head } };
}

const KIND = "jantaku-recorder-queue";
/** Characters of such a file: far more than a long evening without a network makes. */
export const MOST_TEXT = 1_000_000;
const MOST_ENTRIES = 2_000;

export interface Taken {
  starting: Starting[];
  waiting: Omit<Waiting, "order">[];
}

type Sent = Pick<Waiting, "event" | "game" | "at" | "body">;

/** The file with which another phone takes over what this one could not send. It says nothing of who is signed in. */
export function exported(starting: readonly Starting[], waiting: readonly Waiting[]): string {
  return JSON.stringify({ kind: KIND, version: 1, starting, waiting });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= 500;
}

function isSent(value: unknown): value is Sent {
  if (!isObject(value) || !isObject(value.body)) return false;
  const { id, follows, why = "", hand = null } = value.body;
  return [value.event, value.game, value.at, id, follows, why].every(isText) && (hand === null || isObject(hand));
}

function isStarting(value: unknown): value is Starting {
  if (!isObject(value) || !isObject(value.body)) return false;
  const { id, stage, players, label = "" } = value.body;
  return [value.event, id, stage, label].every(isText) && Array.isArray(players) && players.every(isText);
}

/** Read such a file; null if it is none. Whether the hands can be is for the server to say. */
export function imported(text: string): Taken | null {
  let parsed: unknown;
  try {
    parsed = text.length <= MOST_TEXT ? JSON.parse(text) : null;
  } catch {
    return null;
  }
  if (!isObject(parsed) || parsed.kind !== KIND || !Array.isArray(parsed.waiting) || !Array.isArray(parsed.starting))
    return null;
  const { starting, waiting } = parsed;
  if (starting.length + waiting.length > MOST_ENTRIES || !waiting.every(isSent) || !starting.every(isStarting))
    return null;
  return {
    starting: starting.map(({ event, body }) => ({ event, body, refused: "" })),
    waiting: waiting.map(({ event, game, at, body }) => ({ event, game, at, body, refused: "", conflict: null })),
  };
}
