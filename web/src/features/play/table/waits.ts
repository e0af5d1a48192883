// The waits to show: of the current hand, after the discard under the pointer, or with the selected riichi.
import type { DiscardHint, Hints, Own, WaitHint } from "$generated/wire";
import { kindOf, tilesOf, type Tile } from "$domain/tiles/notation";
import type { Discard, RiichiKind } from "$domain/game/choices";

/** Unseen copies, and points by ron and tsumo; null if unknown. */
export type Wait = Omit<WaitHint, "left"> & { left: number | null };

export interface WaitGroup {
  /** The discard that leaves these waits; null for the current hand. */
  discard: Tile | null;
  waits: readonly Wait[];
}

export interface Situation {
  hints: Hints | null;
  riichi: RiichiKind | null;
  /** The legal discards, with the selected riichi if there is one. */
  possible: readonly Discard[];
  pointed: Tile | null;
}

function rowOf(hints: Hints | null, tile: Tile): DiscardHint | undefined {
  return hints?.discards.find((row) => kindOf(row.tile) === kindOf(tile));
}

function pointedRow({ hints, possible, pointed }: Situation): DiscardHint | undefined {
  return pointed !== null && possible.length ? rowOf(hints, pointed) : undefined;
}

function declaring(riichi: RiichiKind, { hints, possible, pointed }: Situation): WaitGroup[] {
  const tiles = possible.map(({ tile }) => tile);
  const all = tiles.filter((tile, i) => tiles.findIndex((other) => kindOf(other) === kindOf(tile)) === i);
  const shown = all.filter((tile) => pointed !== null && kindOf(tile) === kindOf(pointed));
  return (shown.length ? shown : all).map((discard) => ({
    discard,
    waits: rowOf(hints, discard)?.riichi[riichi] ?? [],
  }));
}

/** The waits to show, grouped by discard; empty if the hand is not tenpai. */
export function waitGroups(own: Own, considered: Situation): WaitGroup[] {
  const { hints, riichi } = considered;
  const row = pointedRow(considered);
  const unknown = (): Wait[] => tilesOf(own.waits).map((tile) => ({ tile, left: null, ron: null, tsumo: null }));
  const groups: WaitGroup[] = riichi
    ? declaring(riichi, considered)
    : row
      ? [{ discard: row.tile, waits: row.waits }]
      : [{ discard: null, waits: hints?.waits.length ? hints.waits : unknown() }];
  return groups.filter(({ waits }) => waits.length);
}

/** The shanten after the discard under the pointer; null if unknown or tenpai. */
export function shantenOf(considered: Situation): number | null {
  const shanten = pointedRow(considered)?.shanten ?? considered.hints?.shanten ?? 0;
  return shanten > 0 ? shanten : null;
}

export interface Acceptance {
  discard: Tile;
  tiles: Tile[];
  count: number;
  /** Whether no other discard is better. */
  best: boolean;
}

/** The mark on a tile of the hand: the acceptance after its discard, and whether no other discard is better. */
export interface TileCount {
  tiles: number;
  best: boolean;
}

/** The acceptance after the discard under the pointer, otherwise after the marked best one; null in tenpai or if unknown. */
export function acceptanceOf(considered: Situation): Acceptance | null {
  const { hints, possible } = considered;
  if (!hints || !possible.length) return null;
  const row =
    pointedRow(considered) ?? nearest(hints).toSorted((one, other) => Number(other.best) - Number(one.best))[0];
  return row && row.shanten > 0
    ? { discard: row.tile, tiles: tilesOf(row.accepts), count: row.tiles, best: row.best }
    : null;
}

function nearest({ discards }: Hints): DiscardHint[] {
  const best = Math.min(...discards.map((row) => row.shanten));
  return discards.filter((row) => row.shanten === best);
}

/** The marks of the discards that keep the shanten, by kind; empty in tenpai. */
export function countsOf(hints: Hints | null): Map<number, TileCount> {
  const rows = hints ? nearest(hints).filter((row) => row.shanten > 0) : [];
  return new Map(rows.map((row) => [kindOf(row.tile), { tiles: row.tiles, best: row.best }]));
}

/** The detail shown for each wait: all in a row, the points below the tile, the copies left, or only the tile. */
export type WaitsSize = "row" | "stack" | "counts" | "tiles";
const DIGIT = 7.8; // pixels; width of a digit or Latin letter in a row
const WIDE = 14; // pixels; width of a kanji, kana or hangul syllable
const SMALL = 11 / 13.8; // size of text below a tile relative to a row

const wideOf = (text: string): number => [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? WIDE : DIGIT), 0);

/** Split the text of a wait's points where it may wrap: before the number. */
export const partsOf = (text: string): string[] => text.split(/(?<=[ \u2e80-\uffff])(?=\d)/);

/**
 * The largest size at which the waits fit, estimated without measuring to avoid a second layout. `beside` has a button's
 * text for a row and a shorter one for the other sizes.
 */
export function waitsSize(
  groups: readonly { discarded: boolean; worths: readonly string[] }[],
  { room, before, beside }: { room: number; before: string; beside: readonly string[] },
): WaitsSize {
  const [pill = 0, small = 0] = beside.map((text, at) => (at ? wideOf(text) * SMALL + 20 : wideOf(text) + 32));
  const others = groups.filter(({ discarded }) => discarded).length;
  const waits = groups.flatMap(({ worths }) => worths);
  const sum = (of: (worth: string) => number): number => waits.reduce((all, worth) => all + of(worth), 0);
  const longest = (worth: string): number => Math.max(...partsOf(worth).map((part) => wideOf(part.trim()))) * SMALL;
  if (!room || pill + others * 52 + sum((worth) => 55 + wideOf(worth)) + wideOf(before) + 8 <= room) return "row";
  if (small + others * 42 + sum((worth) => 5 + Math.max(32, longest(worth))) - 4 <= room) return "stack";
  return small + others * 42 + sum(() => 20) <= room ? "counts" : "tiles";
}
