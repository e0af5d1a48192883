// How a hand opens: whether its beginning is shown, and where a called tile comes from.
import { after, turnsTo } from "../seats";
import type { HandState, Seat } from "./tableState";

/** What distinguishes a hand of a game from the one before. */
export function handKey(game: number | null, { number, honba, dealer }: HandState): string {
  return `${game}-${number}-${honba}-${dealer}`;
}

/** Whether a hand has just begun: nobody has discarded or called. The page of a new game may open a few discards late. */
export function isFresh(hand: HandState): boolean {
  const most = isFirst(hand) ? 1 : 0;
  return hand.seats.every((seat) => seat.river.length <= most && !seat.melds.length && seat.kita <= most);
}

/** Whether it is the first hand of a game, before which the seats are shown. */
export function isFirst(hand: HandState): boolean {
  return hand.number === 0 && hand.honba === 0;
}

/** Who discarded the tile of a meld, seen from its owner; null for a tile of their own. */
export function sourceOf(owner: Seat, from: string | null | undefined, count: number): Seat | null {
  const turns = turnsTo(from, count);
  return turns < count ? after(owner, count, turns) : null;
}
