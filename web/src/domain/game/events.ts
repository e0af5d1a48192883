// What each game event does to the table. Pure: every function returns a new state.
import type * as wire from "$generated/wire";
import { laidAmong, turnedUp } from "../tiles/meldLayout";
import { isRed, kindOf, sorted, tilesOf, type Tile } from "../tiles/notation";
import { NORTH } from "./kita";
import {
  NOTHING_AUTOMATIC,
  type CryWord,
  type HandState,
  type Seat,
  type Outcome,
  type SeatState,
  type TableState,
} from "./tableState";

export type GameEvent = wire.Update["events"][number];

function newSeat(hand: string | null | undefined): SeatState {
  return {
    hand: hand == null ? null : sorted(tilesOf(hand)),
    drawn: null,
    holding: false,
    melds: [],
    river: [],
    riichi: null,
    deposited: false,
    shown: null,
    dead: false,
    kita: 0,
  };
}

/** The state with a change to the current hand; unchanged if there is no hand. */
function inHand(state: TableState, change: (hand: HandState) => Partial<HandState>): TableState {
  return state.hand ? { ...state, hand: { ...state.hand, ...change(state.hand) } } : state;
}

function withSeat(seats: SeatState[], seat: Seat, change: (info: SeatState) => Partial<SeatState>): SeatState[] {
  return seats.map((info, i) => (i === seat ? { ...info, ...change(info) } : info));
}

/** The tiles minus one copy of each of `gone`, preferring the same colour. */
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

/** The concealed tiles including the drawn one. */
function together(seat: SeatState): Tile[] | null {
  return seat.hand && sorted(seat.drawn ? [...seat.hand, seat.drawn] : seat.hand);
}

function started(state: TableState, event: wire.HandStarted): TableState {
  const hand: HandState = {
    number: event.number,
    dealer: event.dealer,
    honba: event.honba,
    deposits: event.deposits,
    scores: event.scores,
    indicators: [event.indicator],
    wallLeft: state.set.wall,
    set: state.set,
    turn: event.dealer,
    seats: event.scores.map((_, seat) => newSeat(event.hands[seat])),
    wareme: event.wareme ?? null,
    lastDiscard: null,
  };
  return { ...state, hand, outcome: null, pause: null, cry: null, final: null, automatic: NOTHING_AUTOMATIC };
}

function drew(state: TableState, event: wire.Drew): TableState {
  return inHand(state, (hand) => ({
    wallLeft: hand.wallLeft - 1,
    turn: event.seat,
    lastDiscard: null,
    seats: withSeat(hand.seats, event.seat, () => ({ drawn: event.tile ?? null, holding: true })),
  }));
}

function discarded(state: TableState, event: wire.Discarded): TableState {
  const tile = { tile: event.tile, drawn: event.drawn ?? false, riichi: event.riichi != null, called: false };
  const next = inHand(state, (hand) => ({
    turn: event.seat,
    lastDiscard: event.seat,
    seats: withSeat(hand.seats, event.seat, (seat) => {
      const all = together(seat);
      return {
        hand: all && without(all, [event.tile]),
        drawn: null,
        holding: false,
        river: [...seat.river, tile],
        riichi: event.riichi ?? seat.riichi,
        shown: event.shown ? sorted(tilesOf(event.shown)) : seat.shown,
      };
    }),
  }));
  return event.riichi ? cry(next, event.seat, event.riichi === "open" ? "open_riichi" : "riichi") : next;
}

function riichiAccepted(state: TableState, event: wire.RiichiAccepted): TableState {
  return inHand(state, (hand) => ({
    deposits: hand.deposits + 1,
    scores: hand.scores.map((score, i) => (i === event.seat ? score - event.deposit : score)),
    seats: withSeat(hand.seats, event.seat, () => ({ deposited: true })),
  }));
}

/** The tiles of a meld that came from its owner's hand. */
function own(meld: wire.Meld): Tile[] {
  return meld.called ? without(tilesOf(meld.tiles), [meld.called]) : tilesOf(meld.tiles);
}

function called(state: TableState, event: wire.Called): TableState {
  const next = inHand(state, (hand) => {
    const from = hand.lastDiscard;
    const taken = hand.seats.map((seat, i) => (i === from ? { ...seat, river: markCalled(seat.river) } : seat));
    return {
      turn: event.seat,
      lastDiscard: null,
      seats: withSeat(taken, event.seat, (seat) => ({
        hand: seat.hand && without(seat.hand, own(event.meld)),
        melds: [...seat.melds, laidAmong(event.meld, hand.seats.length)],
        holding: event.meld.type !== "daiminkan",
      })),
    };
  });
  return cry(next, event.seat, event.meld.type === "chi" || event.meld.type === "pon" ? event.meld.type : "kan");
}

function markCalled(river: wire.RiverTile[]): wire.RiverTile[] {
  return river.map((tile, i) => (i === river.length - 1 ? { ...tile, called: true } : tile));
}

function kanDeclared(state: TableState, event: wire.KanDeclared): TableState {
  const kind = event.tile == null ? null : kindOf(event.tile);
  const next = inHand(state, (hand) => ({
    seats: withSeat(hand.seats, event.seat, (seat) => {
      const all = together(seat);
      const gone = event.meld.type === "kakan" ? tilesOf(event.tile ?? "") : tilesOf(event.meld.tiles);
      const pon = seat.melds.findIndex((meld) => meld.type === "pon" && kindOf(meld.called ?? "1m") === kind);
      const laid = laidAmong(event.meld, hand.seats.length);
      const melds = laid.type === "kakan" && pon >= 0 ? seat.melds.with(pon, laid) : [...seat.melds, laid];
      const shown = seat.shown && seat.shown.filter((tile) => kindOf(tile) !== kind);
      return { hand: all && without(all, gone), drawn: null, holding: false, shown, melds };
    }),
  }));
  return cry(next, event.seat, "kan");
}

function kitaDeclared(state: TableState, event: wire.KitaDeclared): TableState {
  const next = inHand(state, (hand) => ({
    seats: withSeat(hand.seats, event.seat, (seat) => {
      const all = together(seat);
      return { hand: all && without(all, [NORTH]), drawn: null, holding: false, kita: seat.kita + 1 };
    }),
  }));
  return cry(next, event.seat, "kita");
}

function cry(state: TableState, seat: Seat, word: CryWord): TableState {
  return { ...state, cry: { seat, word, count: (state.cry?.count ?? 0) + 1 } };
}

function won(state: TableState, event: wire.Won): TableState {
  const before = state.outcome ?? outcome(state);
  const shown = inHand(state, (hand) => ({
    seats: withSeat(hand.seats, event.seat, (seat) => ({ melds: turnedUp(seat.melds, event.kans) })),
  }));
  const next = { ...shown, outcome: { ...before, wins: [...before.wins, event] } };
  return cry(next, event.seat, event.source == null ? "tsumo" : "ron");
}

function outcome(state: TableState): Outcome {
  return { wins: [], draw: null, deltas: [], scores: state.hand?.scores ?? [], given: null, chips: null };
}

function drawn(state: TableState, event: wire.HandDrawn): TableState {
  const next = inHand(state, (hand) => ({
    seats: hand.seats.map((seat, i) => ({ ...seat, melds: turnedUp(seat.melds, event.kans?.[i]) })),
  }));
  return { ...next, outcome: { ...outcome(state), draw: event } };
}

function moved(state: TableState, event: wire.PointsMoved): TableState {
  const next = inHand(state, () => ({ scores: event.scores }));
  if (!next.outcome) return next;
  const { deltas: before } = next.outcome;
  const deltas = event.deltas.map((delta, i) => delta + (before[i] ?? 0));
  const reason = event.reason ?? "hand";
  const given = reason === "hand" ? next.outcome.given : { reason, deltas: event.deltas };
  return {
    ...next,
    outcome: { ...next.outcome, deltas, scores: event.scores, given, chips: event.chips ?? next.outcome.chips },
  };
}

function fouled(state: TableState, event: wire.Fouled): TableState {
  return inHand(state, (hand) => ({
    deposits: hand.deposits + (event.sticks ?? 0),
    scores: hand.scores.map((score, i) => (i === event.seat ? score - (event.deposit ?? 0) : score)),
    seats: withSeat(hand.seats, event.seat, (seat) => ({ dead: seat.dead || event.cost === "dead_hand" })),
  }));
}

/** An unknown event from a newer server changes nothing. */
function unknown(state: TableState, event: never): TableState {
  void event;
  return state;
}

export function afterEvent(state: TableState, event: GameEvent): TableState {
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
      return riichiAccepted(state, event);
    case "called":
      return called(state, event);
    case "kan_declared":
      return kanDeclared(state, event);
    case "kita_declared":
      return kitaDeclared(state, event);
    case "dora_turned":
      return inHand(state, (hand) => ({ indicators: [...hand.indicators, event.indicator] }));
    case "won":
      return won(state, event);
    case "hand_drawn":
      return drawn(state, event);
    case "points_moved":
      return moved(state, event);
    case "fouled":
      return fouled(state, event);
    case "game_ended": {
      const { final, places, opening = null, chips = null, yakitori = null } = event;
      return { ...state, final: { final, places, opening, chips, yakitori } };
    }
    default:
      return unknown(state, event);
  }
}
