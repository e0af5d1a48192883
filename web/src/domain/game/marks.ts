// Marks of tiles in a hand: the discard that was played, and the one that the bot advises.
import type { Tile } from "../tiles/notation";
import type { Action } from "./choices";
import type { Seat, SeatState } from "./tableState";

export type Mark = "played" | "advised";
export interface HandMarks {
  seat: Seat;
  played: Action;
  advised: Action | null;
}

/** The tile that an action discards; null for any other action. */
export function discarded(action: Action | null | undefined): Tile | null {
  return action?.type === "discard" ? action.tile : null;
}

/** The marks of a seat's concealed tiles by index; the drawn tile is last. Equal discards are only advised. */
export function marksIn({ hand, drawn }: Pick<SeatState, "hand" | "drawn">, marks: HandMarks): Record<number, Mark> {
  const kept = hand ?? [];
  const indexOf = (action: Action | null): number => {
    const tile = discarded(action);
    if (tile === null) return -1;
    const place = action?.type === "discard" && action.drawn ? -1 : kept.lastIndexOf(tile);
    return place < 0 && drawn === tile ? kept.length : place;
  };
  const found: Record<number, Mark> = {};
  if (discarded(marks.played) !== discarded(marks.advised)) found[indexOf(marks.played)] = "played";
  found[indexOf(marks.advised)] = "advised";
  delete found[-1];
  return found;
}
