// Entries to be sent. Each names its predecessor, so the server neither loses nor duplicates any.
import { Refused } from "$data/requests";
import type { HandBody, HandConflictBody, RecordedGameInfo, StartRecorded } from "$generated/wire";
import type { Store } from "./offlineStore";

type Conflict = Pick<HandConflictBody, "theirs" | "head">;

/** A queued entry of a game. A refused or conflicting one stays until the user resolves it. */
export interface QueuedHand {
  order: number;
  event: string;
  game: string;
  body: HandBody;
  at: string;
  refused: string;
  conflict: Conflict | null;
}

export interface QueuedStart {
  event: string;
  body: StartRecorded;
  refused: string;
}

/** Rebuild the chain of entries on `head`, clearing refusals and conflicts. */
export function rebased(waiting: readonly QueuedHand[], head: string): QueuedHand[] {
  return waiting.map((queued, i) => ({
    ...queued,
    body: { ...queued.body, follows: waiting[i - 1]?.body.id ?? head },
    conflict: null,
    refused: "",
  }));
}

export function without(waiting: readonly QueuedHand[], id: string, head: string): QueuedHand[] {
  const rest = waiting.filter((queued) => queued.body.id !== id);
  return rest.length === waiting.length ? [...waiting] : rebased(rest, head);
}

/** Entries missing from the server's game. Sent entries may still be in the queue; the order tells which. */
export function missingFrom(
  info: Pick<RecordedGameInfo, "head" | "hands">,
  waiting: readonly QueuedHand[],
): QueuedHand[] {
  const known = new Set([info.head, ...info.hands.map((hand) => hand.version)]);
  return waiting
    .slice(waiting.findLastIndex((queued) => known.has(queued.body.id)) + 1)
    .filter((queued) => !queued.refused && !queued.conflict);
}

/**
 * The id that the next entry must follow: the last queued entry, else the last entry sent but still missing from the
 * loaded game (it is in the `displayed` queue), else the head.
 */
export function lastId(
  info: Pick<RecordedGameInfo, "head" | "hands">,
  waiting: readonly QueuedHand[],
  displayed: readonly QueuedHand[],
): string {
  return (waiting.at(-1) ?? missingFrom(info, displayed).at(-1))?.body.id ?? info.head;
}

export type Decision = "theirs" | "after" | "instead";

export function resolved(waiting: readonly QueuedHand[], decision: Decision): QueuedHand[] {
  const [first, ...rest] = waiting;
  if (!first?.conflict) return [...waiting];
  const { theirs, head } = first.conflict;
  if (decision === "theirs") return rebased(rest, head);
  if (decision === "after") return rebased(waiting, head);
  const place = theirs.findLast((version) => version.hand !== null)?.place ?? 0;
  return rebased([{ ...first, body: { ...first.body, action: "replace", place } }, ...rest], head);
}

export function canReplaceTheirs(waiting: QueuedHand): boolean {
  return (
    waiting.body.action === "add" &&
    (waiting.conflict?.theirs.some((version) => version.hand !== null && version.action === "add") ?? false)
  );
}

export interface Post {
  start: (starting: QueuedStart) => Promise<unknown>;
  hand: (waiting: QueuedHand) => Promise<unknown>;
}

const RETRYABLE = new Set([401, 429]); // signed out, too many requests

/** Whether the same request can be retried: there was no response, or the error does not concern the entry. */
function isRetryable(error: unknown): boolean {
  return !(error instanceof Refused) || error.code === "offline" || error.status >= 500 || RETRYABLE.has(error.status);
}

/** Sends queued entries in order. Retries are safe: the server answers a repeated id with its first response. */
export class Outbox {
  private running: Promise<void> | null = null;
  private repeat = false;

  constructor(
    private readonly store: Store,
    private readonly post: Post,
    private readonly changed: (game: string) => Promise<void>,
  ) {}

  /** Send everything that can be sent; a call during a run triggers another pass. */
  flush(): Promise<void> {
    if (this.running) {
      this.repeat = true;
      return this.running;
    }
    this.running = this.sendAll().finally(() => (this.running = null));
    return this.running;
  }

  private async sendAll(): Promise<void> {
    do {
      this.repeat = false;
      if (!(await this.sendStarts())) return;
      const games = new Set((await this.store.waiting()).map((queued) => queued.game));
      for (const game of games) if (!(await this.hands(game))) return;
    } while (this.repeat);
  }

  /** Send new games; return false if the server is unreachable. */
  private async sendStarts(): Promise<boolean> {
    for (const starting of await this.store.starting()) {
      if (starting.refused) continue;
      try {
        await this.post.start(starting);
        await this.store.delete("starting", starting.body.id);
      } catch (error) {
        if (isRetryable(error)) return false;
        await this.store.put("starting", { ...starting, refused: (error as Refused).message || "?" });
      }
      await this.changed(starting.body.id);
    }
    return true;
  }

  private async hands(game: string): Promise<boolean> {
    const unstarted = (await this.store.starting()).some((starting) => starting.body.id === game);
    for (;;) {
      const [first] = unstarted ? [] : await this.store.waiting(game);
      if (!first || first.refused || first.conflict) return true;
      try {
        await this.post.hand(first);
        await this.store.delete("waiting", first.order);
      } catch (error) {
        if (isRetryable(error)) return false;
        await this.store.put("waiting", withError(first, error as Refused));
      }
      await this.changed(game);
    }
  }
}

function withError(waiting: QueuedHand, error: Refused): QueuedHand {
  if (error.code !== "hand_conflict") return { ...waiting, refused: error.message || error.code };
  const { theirs, head } = error.answer as HandConflictBody;
  return { ...waiting, conflict: { theirs, head } };
}

const KIND = "jantaku-recorder-queue";
/** Characters of a queue file, far above a whole evening offline. */
export const MAX_FILE_LENGTH = 1_000_000;
const MAX_ENTRIES = 2_000;

export interface ImportedQueue {
  starting: QueuedStart[];
  waiting: Omit<QueuedHand, "order">[];
}

type ExportedHand = Pick<QueuedHand, "event" | "game" | "at" | "body">;

/** Write the queue as a file for another phone. It contains no account data. */
export function exportQueue(starting: readonly QueuedStart[], waiting: readonly QueuedHand[]): string {
  return JSON.stringify({ kind: KIND, version: 1, starting, waiting });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.length <= 500;
}

function isExportedHand(value: unknown): value is ExportedHand {
  if (!isObject(value) || !isObject(value.body)) return false;
  const { id, follows, why = "", hand = null } = value.body;
  return [value.event, value.game, value.at, id, follows, why].every(isShortText) && (hand === null || isObject(hand));
}

function isStarting(value: unknown): value is QueuedStart {
  if (!isObject(value) || !isObject(value.body)) return false;
  const { id, stage, players, label = "" } = value.body;
  return [value.event, id, stage, label].every(isShortText) && Array.isArray(players) && players.every(isShortText);
}

/** Read a queue file; null if it is malformed. The server validates the hands. */
export function importQueue(text: string): ImportedQueue | null {
  let parsed: unknown;
  try {
    parsed = text.length <= MAX_FILE_LENGTH ? JSON.parse(text) : null;
  } catch {
    return null;
  }
  if (!isObject(parsed) || parsed.kind !== KIND || !Array.isArray(parsed.waiting) || !Array.isArray(parsed.starting))
    return null;
  const { starting, waiting } = parsed;
  if (starting.length + waiting.length > MAX_ENTRIES || !waiting.every(isExportedHand) || !starting.every(isStarting))
    return null;
  return {
    starting: starting.map(({ event, body }) => ({ event, body, refused: "" })),
    waiting: waiting.map(({ event, game, at, body }) => ({ event, game, at, body, refused: "", conflict: null })),
  };
}
