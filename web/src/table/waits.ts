// What a hand waits for, as it is shown: now, after the discard that is pointed at, or with the riichi that is pressed.
import type { DiscardHint, Hints, Own, WaitHint } from "../generated/wire";
import { kindOf, tilesOf, type Tile } from "../tiles/notation";
import type { Discard, RiichiKind } from "./choices";

export interface Wait {
  tile: Tile;
  /** Copies not seen and points by ron and tsumo; null where nobody has told. */
  left: number | null;
  ron: number | null;
  tsumo: number | null;
}

export interface WaitGroup {
  /** The discard that leads to it; null for the hand as it is. */
  discard: Tile | null;
  waits: Wait[];
}

export interface Considered {
  hints: Hints | null;
  riichi: RiichiKind | null;
  /** What may be discarded now, with that riichi where one is pressed. */
  possible: readonly Discard[];
  /** The tile that is pointed at. */
  pointed: Tile | null;
}

function told({ tile, left, ron, tsumo }: WaitHint): Wait {
  return { tile, left, ron, tsumo };
}

function rowOf(hints: Hints | null, tile: Tile): DiscardHint | null {
  return hints?.discards.find((row) => kindOf(row.tile) === kindOf(tile)) ?? null;
}

/** One tile of each kind that may be discarded. */
function kindsOf(possible: readonly Discard[]): Tile[] {
  const tiles = possible.map((discard) => discard.tile);
  return tiles.filter((tile, i) => tiles.findIndex((other) => kindOf(other) === kindOf(tile)) === i);
}

function declaring(riichi: RiichiKind, { hints, possible, pointed }: Considered): WaitGroup[] {
  const kinds = kindsOf(possible);
  const shown = kinds.filter((tile) => pointed !== null && kindOf(tile) === kindOf(pointed));
  return (shown.length ? shown : kinds).map((discard) => ({
    discard,
    waits: (rowOf(hints, discard)?.riichi[riichi] ?? []).map(told),
  }));
}

/** The waits to show, in groups by the discard that leads to them; none where the hand waits for nothing. */
export function waitGroups(own: Own, considered: Considered): WaitGroup[] {
  const { hints, riichi, possible, pointed } = considered;
  if (riichi) return declaring(riichi, considered).filter((group) => group.waits.length);
  const row = pointed !== null && possible.length ? rowOf(hints, pointed) : null;
  if (row) return row.waits.length ? [{ discard: row.tile, waits: row.waits.map(told) }] : [];
  const waits = hints?.waits.length
    ? hints.waits.map(told)
    : tilesOf(own.waits).map((tile) => ({ tile, left: null, ron: null, tsumo: null }));
  return waits.length ? [{ discard: null, waits }] : [];
}

/** How far the hand is from tenpai, after the discard that is pointed at; null where it is not told or is tenpai. */
export function shantenOf({ hints, possible, pointed }: Considered): number | null {
  const row = pointed !== null && possible.length ? rowOf(hints, pointed) : null;
  const found = row?.shanten ?? hints?.shanten ?? 0;
  return found > 0 ? found : null;
}
