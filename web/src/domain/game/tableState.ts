// The table as one browser knows it.
import { after, turnsTo } from "../seats";
import type { ClockInfo, GameEnded, HandDrawn, Own, RiverTile, TableInfo, View, Won } from "$generated/wire";
import type { LaidMeld } from "../tiles/meldLayout";
import type { Tile } from "../tiles/notation";
import { USUAL_SET, type TileSet } from "../tiles/tileSet";

export type Seat = number;

/** With so few seconds left, the time of a turn is red. */
export const SHORT_S = 5;

export interface SeatState {
  /** Concealed tiles without the one just drawn; null if they are hidden. */
  hand: Tile[] | null;
  drawn: Tile | null;
  /** Whether the seat holds one tile more than it may keep. */
  holding: boolean;
  melds: LaidMeld[];
  river: RiverTile[];
  riichi: View["riichi"][number];
  deposited: boolean;
  /** The hand laid open by an open riichi. */
  shown: Tile[] | null;
  /** Whether the seat may no longer win this hand, after a foul. */
  dead: boolean;
  kita: number;
}

type SeenHand = "number" | "dealer" | "honba" | "deposits" | "scores" | "indicators" | "turn" | "wareme";

export interface HandState extends Pick<View, SeenHand> {
  wallLeft: number;
  set: TileSet;
  seats: SeatState[];
  /** Who discarded last, until somebody draws or calls. */
  lastDiscard: Seat | null;
}

export interface Outcome {
  wins: Won[];
  draw: HandDrawn | null;
  deltas: number[];
  scores: number[];
  /** The part of `deltas` from deposits that the end of the game distributes or a void hand returns. */
  given: { reason: "leftover_deposits" | "returned_deposits"; deltas: number[] } | null;
  chips: number[] | null;
}

/** The automatic answers, until the hand ends. */
export interface Automatic {
  win: boolean;
  noCalls: boolean;
  discard: boolean;
  /** Sets norths aside, where the rules have that. */
  kita: boolean;
}

export const NOTHING_AUTOMATIC: Automatic = { win: false, noCalls: false, discard: false, kita: false };

export type CryWord = "chi" | "pon" | "kan" | "kita" | "riichi" | "open_riichi" | "ron" | "tsumo";

/** The call that a seat has just announced; `count` distinguishes it from the next. */
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
  /** When `own` and `clock` arrived, in the browser's time. */
  at: number;
  outcome: Outcome | null;
  /** Set when the hand is over: how long the result stays, null without a limit. */
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

/** The dead-wall tiles that can still be drawn after a kan or a north set aside. */
export function replacementsLeft(hand: HandState): number {
  const kans = hand.seats.flatMap((seat) => seat.melds).filter((meld) => meld.type !== "chi" && meld.type !== "pon");
  return hand.set.replacements - kans.length - hand.seats.reduce((sum, seat) => sum + seat.kita, 0);
}

/** Whether the game is over for this viewer: watchers see its end later than it happens. */
export function isOver({ table, seat, hand, final }: TableState): boolean {
  const behind = seat === null && hand !== null && final === null;
  return table?.status === "aborted" || (table?.status === "finished" && !behind);
}

export function handKey(game: number | null, { number, honba, dealer }: HandState): string {
  return `${game}-${number}-${honba}-${dealer}`;
}

/** Whether a hand has just begun: nobody has discarded or called. The page of a new game may open a few discards late. */
export function isFresh(hand: HandState): boolean {
  const most = isFirst(hand) ? 1 : 0;
  return hand.seats.every((seat) => seat.river.length <= most && !seat.melds.length && seat.kita <= most);
}

export function isFirst(hand: HandState): boolean {
  return hand.number === 0 && hand.honba === 0;
}

/** Who discarded the tile of a meld, seen from its owner; null for a tile of their own. */
export function sourceOf(owner: Seat, from: string | null | undefined, count: number): Seat | null {
  const turns = turnsTo(from, count);
  return turns < count ? after(owner, count, turns) : null;
}
