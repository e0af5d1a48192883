// The arrangement of a meld on the table, from left to right.
import type { Meld } from "$generated/wire";
import { sidesOf, turnsTo } from "../seats";
import { isRed, kindOf, sorted, textOf, tilesOf, type Tile } from "./notation";

/** A meld as seen by a client: a face-down ankan is turned up when its hand is opened. */
export type LaidMeld = Meld & { turned?: boolean };

export interface Piece {
  tile: Tile | null;
  sideways: boolean;
  /** The tile that a kakan adds on top of the called one. */
  above?: Tile;
}

// In widths of an upright tile: its height, its width when sideways, and the height of two stacked sideways tiles
export const UPRIGHT = 1.45;
export const SIDEWAYS = 1.3334;
const STACKED = 2.12;
const NORTHS = 0.8; // the visible part of a north that the next one overlaps
const CALLED_AT = { left: 0, across: 1, right: -1 } as const;

function take(tiles: Tile[], wanted: Tile): void {
  const exact = tiles.indexOf(wanted);
  const at =
    exact >= 0 ? exact : tiles.findIndex((tile) => kindOf(tile) === kindOf(wanted) && isRed(tile) === isRed(wanted));
  tiles.splice(Math.max(at, 0), 1);
}

/** The pieces of a meld; `display` is the rules' way to lay out an ankan. */
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

/** Adjust a meld to the number of seats: with three players, the third one is on the left. */
export function laidAmong(meld: Meld, count: number): Meld {
  const side = sidesOf(count)[turnsTo(meld.from, count)];
  return side && side !== "below" && LAID[side] !== meld.from ? { ...meld, from: LAID[side] } : meld;
}

/** The melds of an opened hand; `kans` are the tiles of its face-down ankans in order. */
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

/** An ankan shows two of its tiles, including the red one if there is one. */
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

/** The length of the norths set aside, in tile widths. */
export function kitaLong(count: number): number {
  return count ? 1 + NORTHS * (count - 1) : 0;
}
