// The server's tile notation: "5m", "0p" (a red five), "3rs" (a red three), "7z"; several tiles as "123m406p11z".
import { listed, t } from "../words.svelte";
import type { Key } from "$generated/keys";

export type Tile = string;
export const NORTH = "4z";

const NOTATION = /^(?:(?:\dr?)+[mps]|[1-7]+z)*$/;

export function isNotation(text: string): boolean {
  return NOTATION.test(text);
}

export function tilesOf(text: string): Tile[] {
  const tiles: Tile[] = [];
  let waiting: string[] = [];
  for (const character of text) {
    if (/\d/.test(character)) waiting.push(character);
    else if (character === "r") waiting.push(`${waiting.pop() ?? ""}r`);
    else {
      tiles.push(...waiting.map((digit) => digit + character));
      waiting = [];
    }
  }
  return tiles;
}

/** The kind of a tile, 0–33: man, pin and sou 1–9, then the honours. */
export function kindOf(tile: Tile): number {
  const digit = Number(tile[0]) || 5;
  return "mpsz".indexOf(tile.slice(-1)) * 9 + digit - 1;
}

export function isRed(tile: Tile): boolean {
  return tile.startsWith("0") || tile.includes("r");
}

export function plain(kind: number): Tile {
  return `${(kind % 9) + 1}${"mpsz"[Math.floor(kind / 9)] ?? "z"}`;
}

export function redOf(kind: number): Tile {
  const [rank, suit] = plain(kind);
  return rank === "5" ? `0${suit}` : `${rank}r${suit}`;
}

export function plainOf(tile: Tile): Tile {
  return plain(kindOf(tile));
}

export function sorted(tiles: readonly Tile[]): Tile[] {
  return [...tiles].sort((a, b) => kindOf(a) - kindOf(b) || Number(isRed(b)) - Number(isRed(a)));
}

export function textOf(tiles: readonly Tile[]): string {
  let text = "";
  tiles.forEach((tile, i) => {
    const suit = tile.slice(-1);
    text += tile.slice(0, -1) + (tiles[i + 1]?.slice(-1) === suit ? "" : suit);
  });
  return text;
}

export function nameOf(tile: Tile): string {
  const kind = kindOf(tile);
  const suit = Math.floor(kind / 9);
  if (suit === 3) return t(`tiles.honours.${kind - 27}` as Key);
  const rank = t(`tiles.ranks.${kind % 9}` as Key);
  const name = t(`tiles.suits.${suit}` as Key, { rank });
  return isRed(tile) ? t("tiles.red", { tile: name }) : name;
}

export function namesOf(tiles: readonly Tile[]): string {
  return listed(tiles.map(nameOf));
}
