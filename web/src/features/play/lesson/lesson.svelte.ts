// The first hand as a playable game: the server replays it from all moves, and new events appear step by step.
import type { FirstHand, Hints } from "$generated/wire";
import { Refused, send } from "$data/requests";
import type { Link, Outgoing } from "$data/tableSocket";
import type { Action } from "$domain/game/choices";
import type { GameConnection } from "../table/connection.svelte";
import { type GameEvent, reduce, type Change } from "$domain/game/reducer";
import { NOTHING, type Automatic, type TableState } from "$domain/game/tableState";
import { spoken } from "$domain/tiles/sentence";
import { showError, notify } from "$data/notices.svelte";
import { kindOf } from "$domain/tiles/notation";
import { readStored, writeStored } from "$data/deviceStorage";

export interface Progress {
  /** The introductory card that is open; null at the table. */
  card: number | null;
  moves: Action[];
}

const KEY = "jantaku.first";
export const NEW: Progress = { card: 0, moves: [] };

export function storedProgress(): Progress {
  const stored = readStored(KEY) as Partial<Progress> | null;
  if (!stored || !Array.isArray(stored.moves)) return NEW;
  return { card: typeof stored.card === "number" ? stored.card : null, moves: stored.moves };
}

export function storeProgress(progress: Progress): void {
  writeStored(KEY, progress);
}

const GAME = 1;
const LOOK_MS: Partial<Record<GameEvent["type"], number>> = {
  discarded: 520,
  drew: 260,
  called: 900,
  kan_declared: 900,
  kita_declared: 900,
};

type EventHandler = (event: GameEvent, state: TableState) => void;

export class Lesson implements GameConnection {
  state = $state.raw<TableState>(NOTHING);
  link = $state<Link>("open");
  hints = $state.raw<Hints | null>(null);
  answered = $state<number | null>(null);
  /** The advice for which the game waits after the learner's riichi. */
  held = $state<"waiting" | "furiten" | null>(null);
  over = $state(false);
  deposit = $state(0);
  private moves: Action[] = storedProgress().moves;
  private release: (() => void) | null = null;
  private ended = false;
  private deals = 0; // number of times the hand was dealt

  constructor(private readonly onEvent: EventHandler) {}

  /** Resume where the learner stopped; start over if the server rejects the stored moves. */
  async open(): Promise<void> {
    try {
      this.begin(await this.ask());
    } catch (error) {
      if (!(error instanceof Refused) || error.code === "offline" || !this.moves.length) throw error;
      await this.again();
    }
  }

  async again(): Promise<void> {
    this.moves = [];
    storeProgress({ card: null, moves: [] });
    this.begin(await this.ask());
  }

  act(action: Action): void {
    const { own } = this.state;
    if (own?.ask == null || this.answered === own.ask) return;
    this.answered = own.ask;
    this.moves = [...this.moves, action];
    const deal = this.deals;
    this.ask().then(
      (answer) => {
        if (deal !== this.deals) return undefined;
        storeProgress({ card: null, moves: this.moves });
        return this.show(answer);
      },
      (error: unknown) => {
        this.moves = this.moves.slice(0, -1);
        this.answered = null;
        showError(error);
      },
    );
  }

  goOn(): void {
    this.held = this.held === "waiting" ? "furiten" : null;
    if (!this.held) this.release?.();
  }

  wish(changed: Partial<Automatic>): void {
    this.change({ type: "automatic", changed });
  }

  /** Answer "why" questions from the hints, which come with every response; ignore other messages. */
  send(message: Outgoing): void {
    if (message.type !== "why" || typeof message.what === "string" || message.what.type !== "discard") return;
    const { tile } = message.what;
    const barred = this.hints?.barred.find((row) => kindOf(row.tile) === kindOf(tile));
    if (barred) notify(spoken(barred.text));
  }

  foul(): void {
    // The lesson has no fouls
  }

  close(): void {
    this.ended = true;
    this.release?.();
  }

  private ask(): Promise<FirstHand> {
    return send("POST /api/first-hand", { body: { moves: this.moves } });
  }

  private begin(answer: FirstHand): void {
    this.deals += 1;
    this.state = NOTHING;
    this.held = null;
    this.release?.();
    this.change({ type: "welcome", version: 1, table: answer.table, seat: 0, all_hands: false });
    const seq = answer.events.length;
    this.change({
      type: "sync",
      game: GAME,
      view_seq: 0,
      seq,
      view: null,
      events: answer.events,
      own: answer.own,
      clock: null,
    });
    this.settle(answer);
  }

  private async show(answer: FirstHand): Promise<void> {
    const known = this.state.seq ?? 0;
    const deal = this.deals;
    for (const [i, event] of answer.events.slice(known).entries()) {
      this.update(known + i + 1, [event], null);
      this.onEvent(event, this.state);
      if (event.type === "discarded" && event.riichi && event.seat === 0) await this.hold(answer);
      await new Promise((done) => window.setTimeout(done, LOOK_MS[event.type] ?? 0));
      if (this.ended || deal !== this.deals) return; // the rest belongs to an abandoned hand
    }
    this.update(answer.events.length, [], answer.own);
    this.settle(answer);
  }

  private settle(answer: FirstHand): void {
    this.hints = answer.hints;
    this.over = answer.over;
    this.deposit = answer.deposit;
    this.answered = null;
  }

  /** After riichi the hand is fixed, so its waits are known before the others play. */
  private hold({ own, events }: FirstHand): Promise<void> {
    if (own) {
      const idle = { ...own, drawn: null, ask: null, legal: [], fouls: [], offered: null };
      this.update(this.state.seq ?? events.length, [], idle);
    }
    this.held = "waiting";
    return new Promise((done) => (this.release = done));
  }

  private update(seq: number, events: GameEvent[], own: FirstHand["own"]): void {
    this.change({ type: "update", game: GAME, seq, events, own, clock: null });
  }

  private change(message: Change["message"]): void {
    this.state = reduce(this.state, { message, at: performance.now() });
  }
}
