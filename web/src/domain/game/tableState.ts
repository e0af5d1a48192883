// The table as seen by one browser.
import { after, turnsTo } from "../seats";
import type { ClockInfo, GameEnded, HandDrawn, Own, RiverTile, TableInfo, View, Won } from "$generated/wire";
import type { LaidMeld } from "../tiles/meldLayout";
import type { Tile } from "../tiles/notation";
import { USUAL_SET, type TileSet } from "../tiles/tileSet";

export type Seat = number;

/** The remaining time is red from this many seconds down. */
export const SHORT_S = 5;

export interface SeatState {
  /** Concealed tiles without the one just drawn; null if they are hidden. */
  hand: Tile[] | null;
  drawn: Tile | null;
  /** Whether the seat has one tile more than it may keep, so must discard. */
  holding: boolean;
  melds: LaidMeld[];
  river: RiverTile[];
  riichi: View["riichi"][number];
  deposited: boolean;
  /** The hand laid open by an open riichi. */
  shown: Tile[] | null;
  /** Whether the seat may not win this hand because of a foul. */
  dead: boolean;
  kita: number;
}

type SeenHand = "number" | "dealer" | "honba" | "deposits" | "scores" | "indicators" | "turn" | "wareme";

export interface HandState extends Pick<View, SeenHand> {
  wallLeft: number;
  set: TileSet;
  seats: SeatState[];
  /** The seat of the last discard; null after a draw or a call. */
  lastDiscard: Seat | null;
}

export interface Outcome {
  wins: Won[];
  draw: HandDrawn | null;
  deltas: number[];
  scores: number[];
  /** The part of `deltas` from deposits distributed at the end of the game or returned by a void hand. */
  given: { reason: "leftover_deposits" | "returned_deposits"; deltas: number[] } | null;
  chips: number[] | null;
}

/** The enabled automatic answers, which last until the hand ends. */
export interface Automatic {
  win: boolean;
  noCalls: boolean;
  discard: boolean;
  /** Sets norths aside, if the rules have that. */
  kita: boolean;
}

export const NOTHING_AUTOMATIC: Automatic = { win: false, noCalls: false, discard: false, kita: false };

export type CryWord = "chi" | "pon" | "kan" | "kita" | "riichi" | "open_riichi" | "ron" | "tsumo";

/** The latest announced call; `count` distinguishes it from the next. */
export interface Announcement {
  seat: Seat;
  word: CryWord;
  count: number;
}

export interface TableState {
  table: TableInfo | null;
  /** The viewer's seat; null for spectators. */
  seat: Seat | null;
  allHands: boolean;
  set: TileSet;
  game: number | null;
  seq: number | null;
  hand: HandState | null;
  own: Own | null;
  clock: ClockInfo | null;
  /** When `own` and `clock` arrived, by the browser's clock. */
  at: number;
  outcome: Outcome | null;
  /** Set when the hand is over; `ms` is how long the result stays, null without a limit. */
  pause: { ms: number | null } | null;
  final: GameEnded | null;
  cry: Announcement | null;
  automatic: Automatic;
}

export const NOTHING: TableState = {
  table: null,
  seat: null,
  allHands: false,
  set: USUAL_SET,
  game: null,
  seq: null,
  hand: null,
  own: null,
  clock: null,
  at: 0,
  outcome: null,
  pause: null,
  final: null,
  cry: null,
  automatic: NOTHING_AUTOMATIC,
};

export function concealed(seat: SeatState): number {
  return seat.hand ? seat.hand.length + (seat.drawn ? 1 : 0) : 13 - 3 * seat.melds.length + (seat.holding ? 1 : 0);
}

/** The number of replacement tiles left in the dead wall. */
export function replacementsLeft(hand: HandState): number {
  const kans = hand.seats.flatMap((seat) => seat.melds).filter((meld) => meld.type !== "chi" && meld.type !== "pon");
  return hand.set.replacements - kans.length - hand.seats.reduce((sum, seat) => sum + seat.kita, 0);
}

/** Whether the game is over for this viewer; spectators see its end with a delay. */
export function isOver({ table, seat, hand, final }: TableState): boolean {
  const behind = seat === null && hand !== null && final === null;
  return table?.status === "aborted" || (table?.status === "finished" && !behind);
}

export function handKey(game: number | null, { number, honba, dealer }: HandState): string {
  return `${game}-${number}-${honba}-${dealer}`;
}

/** Whether a hand has just begun, without discards or calls. A new game allows one each, as its page may open late. */
export function isFresh(hand: HandState): boolean {
  const max = isFirst(hand) ? 1 : 0;
  return hand.seats.every((seat) => seat.river.length <= max && !seat.melds.length && seat.kita <= max);
}

export function isFirst(hand: HandState): boolean {
  return hand.number === 0 && hand.honba === 0;
}

/** The seat whose discard a meld claimed; null for a closed kan. */
export function sourceOf(owner: Seat, from: string | null | undefined, count: number): Seat | null {
  const turns = turnsTo(from, count);
  return turns < count ? after(owner, count, turns) : null;
}
