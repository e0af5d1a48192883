// How each server message changes the table. Nothing else changes it.
import type * as wire from "$generated/wire";
import { sorted, tilesOf } from "../tiles/notation";
import { laidAmong } from "../tiles/meldLayout";
import type { TileSet } from "../tiles/tileSet";
import { afterEvent } from "./events";
import { NOTHING, type Automatic, type HandState, type SeatState, type TableState } from "./tableState";

type ServerMessage = wire.Welcome | wire.TableMessage | wire.Sync | wire.Update | wire.Pause;
/** The player turns an automatic answer on or off. */
interface Wish {
  type: "automatic";
  changed: Partial<Automatic>;
}
export type Change = { message: ServerMessage | Wish; at: number };

function fromView(view: wire.View, set: TileSet): HandState {
  const seats = view.scores.map((_, seat): SeatState => {
    const mine = seat === view.seat;
    const drawn = mine ? view.drawn : null;
    return {
      hand: mine ? sorted(tilesOf(view.hand)) : null,
      drawn,
      holding: drawn !== null,
      melds: (view.melds[seat] ?? []).map((meld) => laidAmong(meld, view.scores.length)),
      river: view.rivers[seat] ?? [],
      riichi: view.riichi[seat] ?? null,
      deposited: view.riichi[seat] != null,
      dead: view.dead[seat] ?? false,
      kita: view.kita[seat] ?? 0,
      shown: view.shown[seat] ? sorted(tilesOf(view.shown[seat])) : null,
    };
  });
  return {
    number: view.number,
    dealer: view.dealer,
    honba: view.honba,
    deposits: view.deposits,
    scores: view.scores,
    indicators: view.indicators,
    wallLeft: view.wall_left,
    set,
    turn: view.turn,
    seats,
    wareme: view.wareme,
    lastDiscard: view.offered?.from ?? null,
  };
}

/** The server sends no waits to a seat that is not asked, so the last known ones stay. */
function unasked({ own }: TableState): wire.Own | null {
  return own && { ...own, ask: null, legal: [], fouls: [], offered: null, left_ms: null };
}

/** The server's private data for this seat replaces what was derived from events. */
function withOwn(state: TableState, own: wire.Own | null, clock: wire.ClockInfo | null, at: number): TableState {
  const next = { ...state, own: own ?? unasked(state), clock, at };
  if (!own || !next.hand || next.seat === null || next.outcome) return next;
  const seats = next.hand.seats.map((seat, i) =>
    i === next.seat
      ? { ...seat, hand: sorted(tilesOf(own.hand)), drawn: own.drawn, holding: own.drawn !== null }
      : seat,
  );
  return { ...next, hand: { ...next.hand, seats } };
}

function withTable(state: TableState, table: wire.TableInfo): TableState {
  const { wall, replacements, man } = table.rules;
  return { ...state, table, set: { wall, replacements, man } };
}

function synced(state: TableState, message: wire.Sync, at: number): TableState {
  const fresh: TableState = {
    ...NOTHING,
    table: state.table,
    set: state.set,
    seat: state.seat,
    allHands: state.allHands,
  };
  const start = { ...fresh, game: message.game, hand: message.view && fromView(message.view, state.set) };
  const now = message.events.reduce(afterEvent, start);
  const automatic = sameHand(state, now) ? state.automatic : now.automatic;
  return withOwn({ ...now, seq: message.seq, cry: null, automatic }, message.own, message.clock, at);
}

function sameHand(before: TableState, now: TableState): boolean {
  const { game, hand } = before;
  return game === now.game && hand?.number === now.hand?.number && hand?.honba === now.hand?.honba;
}

function updated(state: TableState, message: wire.Update, at: number): TableState {
  if (message.game !== state.game || state.seq === null) return state;
  const missing = message.seq - state.seq; // known events are not applied twice
  if (missing < 0) return state;
  const news = missing < message.events.length ? message.events.slice(message.events.length - missing) : message.events;
  const now = news.reduce(afterEvent, state);
  return withOwn({ ...now, seq: message.seq }, message.own, message.clock, at);
}

function never(state: TableState, message: never): TableState {
  void message;
  return state;
}

export function reduce(state: TableState, { message, at }: Change): TableState {
  switch (message.type) {
    case "welcome":
      return { ...withTable(state, message.table), seat: message.seat, allHands: message.all_hands ?? false };
    case "table":
      return withTable(state, message.table);
    case "sync":
      return synced(state, message, at);
    case "update":
      return updated(state, message, at);
    case "pause":
      return message.game === state.game ? { ...state, pause: { ms: message.ms } } : state;
    case "automatic":
      return { ...state, automatic: { ...state.automatic, ...message.changed } };
    default:
      return never(state, message);
  }
}
