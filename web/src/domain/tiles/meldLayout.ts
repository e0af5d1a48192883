// How a meld lies on the table, from left to right.
import type { Meld } from "$generated/wire";
import { sidesOf, turnsTo } from "../seats";
import { isRed, kindOf, sorted, textOf, tilesOf, type Tile } from "./notation";

/** A meld as one client knows it: a face-down ankan is turned up when its hand is shown. */
export type LaidMeld = Meld & { turned?: boolean };

export interface Piece {
  tile: Tile | null;
  sideways: boolean;
  /** The tile that a kakan puts on the called one. */
  above?: Tile;
}

// Tile measures in widths of an upright tile: its height, its width sideways, and the height of two stacked
export const UPRIGHT = 1.45;
export const SIDEWAYS = 1.3334;
const STACKED = 2.12;
const NORTHS = 0.8; // how much of a north set aside the next one leaves free
const CALLED_AT = { left: 0, across: 1, right: -1 } as const;

function take(tiles: Tile[], wanted: Tile): void {
  const exact = tiles.indexOf(wanted);
  const at =
    exact >= 0 ? exact : tiles.findIndex((tile) => kindOf(tile) === kindOf(wanted) && isRed(tile) === isRed(wanted));
  tiles.splice(Math.max(at, 0), 1);
}

/** The pieces of a meld; `added` is the tile that a kakan added, if known. */
export function piecesOf(meld: LaidMeld, display = "outer_down"): Piece[] {
  const own = tilesOf(meld.tiles);
  if (meld.type === "ankan") return ankan(own, meld.turned && display === "all_down" ? "outer_down" : display);
  const called = meld.called ?? own[0] ?? "1m";
  take(own, called);
  const above = meld.type === "kakan" ? own.pop() : undefined;
  const row: Piece[] = own.map((tile) => ({ tile, sideways: false }));
  const index = CALLED_AT[meld.from ?? "left"];
  const laid: Piece = above ? { tile: called, sideways: true, above } : { tile: called, sideways: true };
  row.splice(index < 0 ? row.length : index, 0, laid);
  return row;
}

const LAID = { right: "right", above: "across", left: "left" } as const;

/** The meld as it lies at a table with so many seats: of three players, the third one sits on the left. */
export function laidAmong(meld: Meld, count: number): Meld {
  const side = sidesOf(count)[turnsTo(meld.from, count)];
  return side && side !== "below" && LAID[side] !== meld.from ? { ...meld, from: LAID[side] } : meld;
}

/** The melds of a shown hand; `kans` are the tiles of its face-down ankans in order. */
export function turnedUp(melds: readonly LaidMeld[], kans: string | null | undefined): LaidMeld[] {
  const tiles = tilesOf(kans ?? "");
  return melds.map((meld) =>
    meld.type === "ankan" && tiles.length ? { ...meld, tiles: textOf(tiles.splice(0, 4)), turned: true } : meld,
  );
}

export function ankanDisplay(rules: { tree: Record<string, unknown> }): string {
  const calls = rules.tree["calls"] as { ankan_display?: string } | undefined;
  return calls?.ankan_display ?? "outer_down";
}

/** An ankan shows two of its tiles, the red one among them if there is one. */
function ankan(own: readonly Tile[], display: string): Piece[] {
  const [first = null, second = null] = display === "all_down" ? [] : sorted(own);
  const row = display === "inner_down" ? [first, null, null, second] : [null, first, second, null];
  return row.map((tile) => ({ tile, sideways: false }));
}

/** The length and the height of a meld, in widths of an upright tile. */
export function sizeOf(pieces: readonly Piece[]): { long: number; deep: number } {
  const long = pieces.reduce((sum, piece) => sum + (piece.sideways ? SIDEWAYS : 1), 0);
  return { long, deep: pieces.some((piece) => piece.above) ? STACKED : UPRIGHT };
}

/** The length of so many norths set aside, in widths of a tile. */
export function kitaLong(count: number): number {
  return count ? 1 + NORTHS * (count - 1) : 0;
}
