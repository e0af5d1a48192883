// Applies server messages and game events to the table. Pure: every function returns a new state.
import type * as wire from "$generated/wire";
import { laidAmong, turnedUp } from "../tiles/meldLayout";
import { isRed, kindOf, NORTH, sorted, tilesOf, type Tile } from "../tiles/notation";
import type { TileSet } from "../tiles/tileSet";
import {
  handKey,
  NOTHING,
  NOTHING_AUTOMATIC,
  type Announcement,
  type Automatic,
  type HandState,
  type Outcome,
  type Seat,
  type SeatState,
  type TableState,
} from "./tableState";

export type GameEvent = wire.Update["events"][number];

function inHand(state: TableState, change: (hand: HandState) => Partial<HandState>): TableState {
  return state.hand ? { ...state, hand: { ...state.hand, ...change(state.hand) } } : state;
}

function inSeat(
  state: TableState,
  at: Seat,
  change: (seat: SeatState, hand: HandState) => Partial<SeatState>,
  around: (hand: HandState) => Partial<HandState> = () => ({}),
): TableState {
  return inHand(state, (hand) => ({
    ...around(hand),
    seats: hand.seats.map((seat, i) => (i === at ? { ...seat, ...change(seat, hand) } : seat)),
  }));
}

/** The tiles minus one copy of each in `gone`, preferring a copy of the same colour. */
export function without(tiles: readonly Tile[], gone: readonly Tile[]): Tile[] {
  const left = [...tiles];
  for (const tile of gone) {
    let at = left.indexOf(tile);
    if (at < 0) at = left.findIndex((other) => kindOf(other) === kindOf(tile) && isRed(other) === isRed(tile));
    if (at < 0) at = left.findIndex((other) => kindOf(other) === kindOf(tile));
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** The hand after tiles leave it, possibly including the drawn one. */
function laidDown({ hand, drawn }: SeatState, gone: readonly Tile[]): Pick<SeatState, "hand" | "drawn" | "holding"> {
  return { hand: hand && without(sorted(drawn ? [...hand, drawn] : hand), gone), drawn: null, holding: false };
}

function started(state: TableState, event: wire.HandStarted): TableState {
  const { number, dealer, honba, deposits, scores, indicator, hands, wareme = null } = event;
  const hand: HandState = {
    number,
    dealer,
    honba,
    deposits,
    scores,
    indicators: [indicator],
    wallLeft: state.set.wall,
    set: state.set,
    turn: dealer,
    seats: scores.map((_, seat) => ({
      hand: hands[seat] == null ? null : sorted(tilesOf(hands[seat])),
      drawn: null,
      holding: false,
      melds: [],
      river: [],
      riichi: null,
      deposited: false,
      shown: null,
      dead: false,
      kita: 0,
    })),
    wareme,
    lastDiscard: null,
  };
  return { ...state, hand, outcome: null, pause: null, cry: null, final: null, automatic: NOTHING_AUTOMATIC };
}

function drew(state: TableState, { seat, tile = null }: wire.Drew): TableState {
  return inSeat(
    state,
    seat,
    () => ({ drawn: tile, holding: true }),
    (hand) => ({ wallLeft: hand.wallLeft - 1, turn: seat, lastDiscard: null }),
  );
}

function discarded(state: TableState, { seat, tile, drawn = false, riichi, shown }: wire.Discarded): TableState {
  return inSeat(
    state,
    seat,
    (info) => ({
      ...laidDown(info, [tile]),
      river: [...info.river, { tile, drawn, riichi: riichi != null, called: false }],
      riichi: riichi ?? info.riichi,
      shown: shown ? sorted(tilesOf(shown)) : info.shown,
    }),
    () => ({ turn: seat, lastDiscard: seat }),
  );
}

function deposited(
  state: TableState,
  at: Seat,
  sticks: number,
  points: number,
  change: (seat: SeatState) => Partial<SeatState>,
): TableState {
  return inSeat(state, at, change, (hand) => ({
    deposits: hand.deposits + sticks,
    scores: hand.scores.map((score, i) => (i === at ? score - points : score)),
  }));
}

function called(state: TableState, { seat: at, meld }: wire.Called): TableState {
  const own = meld.called ? without(tilesOf(meld.tiles), [meld.called]) : tilesOf(meld.tiles);
  const claimed = inSeat(state, state.hand?.lastDiscard ?? -1, ({ river }) => ({
    river: river.map((tile, i) => (i === river.length - 1 ? { ...tile, called: true } : tile)),
  }));
  return inSeat(
    claimed,
    at,
    (seat, hand) => ({
      hand: seat.hand && without(seat.hand, own),
      melds: [...seat.melds, laidAmong(meld, hand.seats.length)],
      holding: meld.type !== "daiminkan",
    }),
    () => ({ turn: at, lastDiscard: null }),
  );
}

function kanDeclared(state: TableState, { seat: at, meld, tile }: wire.KanDeclared): TableState {
  const kind = tile == null ? null : kindOf(tile);
  return inSeat(state, at, (seat, hand) => {
    const pon = seat.melds.findIndex((meld) => meld.type === "pon" && kindOf(meld.called ?? "1m") === kind);
    const laid = laidAmong(meld, hand.seats.length);
    return {
      ...laidDown(seat, tilesOf(meld.type === "kakan" ? (tile ?? "") : meld.tiles)),
      shown: seat.shown && seat.shown.filter((tile) => kindOf(tile) !== kind),
      melds: laid.type === "kakan" && pon >= 0 ? seat.melds.with(pon, laid) : [...seat.melds, laid],
    };
  });
}

function outcome(state: TableState): Outcome {
  return { wins: [], draw: null, deltas: [], scores: state.hand?.scores ?? [], given: null, chips: null };
}

function won(state: TableState, event: wire.Won): TableState {
  const before = state.outcome ?? outcome(state);
  const shown = inSeat(state, event.seat, ({ melds }) => ({ melds: turnedUp(melds, event.kans) }));
  return { ...shown, outcome: { ...before, wins: [...before.wins, event] } };
}

function drawn(state: TableState, event: wire.HandDrawn): TableState {
  const next = inHand(state, (hand) => ({
    seats: hand.seats.map((seat, i) => ({ ...seat, melds: turnedUp(seat.melds, event.kans?.[i]) })),
  }));
  return { ...next, outcome: { ...outcome(state), draw: event } };
}

function moved(state: TableState, { deltas, scores, reason = "hand", chips }: wire.PointsMoved): TableState {
  const next = inHand(state, () => ({ scores }));
  const before = next.outcome;
  if (!before) return next;
  return {
    ...next,
    outcome: {
      ...before,
      deltas: deltas.map((delta, i) => delta + (before.deltas[i] ?? 0)),
      scores,
      given: reason === "hand" ? before.given : { reason, deltas },
      chips: chips ?? before.chips,
    },
  };
}

export function cryOf(event: GameEvent): Pick<Announcement, "seat" | "word"> | null {
  switch (event.type) {
    case "discarded":
      return event.riichi ? { word: event.riichi === "open" ? "open_riichi" : "riichi", seat: event.seat } : null;
    case "called": {
      const { type } = event.meld;
      return { word: type === "chi" || type === "pon" ? type : "kan", seat: event.seat };
    }
    case "kan_declared":
      return { word: "kan", seat: event.seat };
    case "kita_declared":
      return { word: "kita", seat: event.seat };
    case "won":
      return { word: event.source == null ? "tsumo" : "ron", seat: event.seat };
    default:
      return null;
  }
}

export function afterEvent(state: TableState, event: GameEvent): TableState {
  const next = changed(state, event);
  const cry = cryOf(event);
  return cry ? { ...next, cry: { ...cry, count: (next.cry?.count ?? 0) + 1 } } : next;
}

function changed(state: TableState, event: GameEvent): TableState {
  switch (event.type) {
    case "game_started":
      return { ...state, hand: null, outcome: null, final: null, cry: null, automatic: NOTHING_AUTOMATIC };
    case "hand_started":
      return started(state, event);
    case "drew":
      return drew(state, event);
    case "discarded":
      return discarded(state, event);
    case "riichi_accepted":
      return deposited(state, event.seat, 1, event.deposit, () => ({ deposited: true }));
    case "called":
      return called(state, event);
    case "kan_declared":
      return kanDeclared(state, event);
    case "kita_declared":
      return inSeat(state, event.seat, (seat) => ({ ...laidDown(seat, [NORTH]), kita: seat.kita + 1 }));
    case "dora_turned":
      return inHand(state, (hand) => ({ indicators: [...hand.indicators, event.indicator] }));
    case "won":
      return won(state, event);
    case "hand_drawn":
      return drawn(state, event);
    case "points_moved":
      return moved(state, event);
    case "fouled":
      return deposited(state, event.seat, event.sticks ?? 0, event.deposit ?? 0, ({ dead }) => ({
        dead: dead || event.cost === "dead_hand",
      }));
    case "game_ended":
      return { ...state, final: event };
    default:
      event satisfies never; // a newer server may send unknown events
      return state;
  }
}

/** A server message, or a change of the automatic answers by the player, with the time it arrived. */
export interface Change {
  message:
    | wire.Welcome
    | wire.TableMessage
    | wire.Sync
    | wire.Update
    | wire.Pause
    | { type: "automatic"; changed: Partial<Automatic> };
  at: number;
}

export function fromView(view: wire.View, set: TileSet): HandState {
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
  const { number, dealer, honba, deposits, scores, indicators, turn, wareme } = view;
  const lastDiscard = view.offered?.from ?? null;
  const wallLeft = view.wall_left;
  return { number, dealer, honba, deposits, scores, indicators, wallLeft, set, turn, seats, wareme, lastDiscard };
}

/** Replace the state derived from events with the server's private data for this seat. */
function withOwn(state: TableState, own: wire.Own | null, clock: wire.ClockInfo | null, at: number): TableState {
  // The server sends waits only with a request, so the last known ones stay
  const idle = state.own && { ...state.own, ask: null, legal: [], fouls: [], offered: null, left_ms: null };
  const next = { ...state, own: own ?? idle, clock, at };
  if (!own || next.seat === null || next.outcome) return next;
  const { hand, drawn } = own;
  return inSeat(next, next.seat, () => ({ hand: sorted(tilesOf(hand)), drawn, holding: drawn !== null }));
}

function withTable(state: TableState, table: wire.TableInfo): TableState {
  const { wall, replacements, man } = table.rules;
  return { ...state, table, set: { wall, replacements, man } };
}

function synced(state: TableState, message: wire.Sync, at: number): TableState {
  const { table, set, seat, allHands } = state;
  const hand = message.view && fromView(message.view, set);
  const start = { ...NOTHING, table, set, seat, allHands, game: message.game, hand };
  const now = message.events.reduce(afterEvent, start);
  const same = now.hand && state.hand && handKey(state.game, state.hand) === handKey(now.game, now.hand);
  const automatic = same ? state.automatic : now.automatic;
  return withOwn({ ...now, seq: message.seq, cry: null, automatic }, message.own, message.clock, at);
}

function updated(state: TableState, message: wire.Update, at: number): TableState {
  if (message.game !== state.game || state.seq === null) return state;
  const missing = message.seq - state.seq; // known events are not applied twice
  if (missing < 0) return state;
  const unseen =
    missing < message.events.length ? message.events.slice(message.events.length - missing) : message.events;
  const now = unseen.reduce(afterEvent, state);
  return withOwn({ ...now, seq: message.seq }, message.own, message.clock, at);
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
      message satisfies never;
      return state;
  }
}
