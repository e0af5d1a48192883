// The hand on the calculator, how a tap changes it, and how a link stores it.
import type { HandQuestionBody, Meld, WinRequest } from "$generated/wire";
import { chosenRules } from "../chosenRules";
import { WINDS } from "../seats";
import { fullSize, parseHand, formatHand } from "./handAsText";
import { NORTH, isNotation, isRed, kindOf, plain, redOf, sorted, textOf, tilesOf, type Tile } from "../tiles/notation";

export { fullSize };

export type Target = "hand" | "chi" | "pon" | "ankan" | "kan" | "dora" | "ura";
export type Riichi = "" | NonNullable<WinRequest["riichi"]>;
export type Wind = NonNullable<WinRequest["round"]>;
export const FLAGS = [
  "ippatsu",
  "last_tile",
  "rinshan",
  "chankan",
  "first_turn",
] as const satisfies readonly (keyof WinRequest)[];
export type Flag = (typeof FLAGS)[number];

export interface Calculation {
  /** Concealed tiles; the last one is the winning tile when the hand is full. */
  hand: Tile[];
  melds: Meld[];
  dora: Tile[];
  ura: Tile[];
  by: WinRequest["by"];
  round: Wind;
  seat: Wind;
  riichi: Riichi;
  flags: Flag[];
  honba: number;
  deposits: number;
  /** How many norths the winner has set aside. */
  kita: number;
  rules: string;
  /** Further facts about the win, from a recorded table. */
  known?: Pick<WinRequest, "riichi_tile" | "discarder_riichi">;
}

export const EMPTY: Calculation = {
  hand: [], melds: [], dora: [], ura: [], by: "ron", round: "east", seat: "south", riichi: "", flags: [],
  honba: 0, deposits: 0, kita: 0, rules: "standard",
}; // prettier-ignore

const MAX_INDICATORS = 5;
const SIZES: Record<Target, number> = { hand: 1, dora: 1, ura: 1, chi: 3, pon: 3, ankan: 4, kan: 4 };
export const MAX_KITA = 4; // copies of a tile

function allTiles(calculation: Calculation): Tile[] {
  const melded = calculation.melds.flatMap((meld) => tilesOf(meld.tiles));
  return [...calculation.hand, ...melded, ...calculation.dora, ...calculation.ura, ...kitaTiles(calculation)];
}

/** The norths set aside, as tiles that count as visible. */
export function kitaTiles(calculation: Calculation): Tile[] {
  return Array.from({ length: calculation.kita }, () => NORTH);
}

export function usedCount(calculation: Calculation, kind: number): number {
  return allTiles(calculation).filter((tile) => kindOf(tile) === kind).length;
}

/** The tiles that a tap adds: the tile itself, or a set containing it. Plain copies are used before red ones. */
function tilesFor(before: Calculation, target: Target, tile: Tile, red: ReadonlyMap<number, number>): Tile[] {
  const kind = kindOf(tile);
  if (target === "chi") {
    if (kind >= 27) return [];
    const start = Math.min(kind % 9, 6) + 9 * Math.floor(kind / 9);
    return [0, 1, 2].map((i) =>
      start + i === kind ? tile : (available(before, start + i, red)[0] ?? plain(start + i)),
    );
  }
  const others = available(before, kind, red);
  const at = others.indexOf(tile);
  return [tile, ...others.filter((_, i) => i !== at)].slice(0, SIZES[target]);
}

/** The unused copies of a kind, plain ones first. */
function available(before: Calculation, kind: number, red: ReadonlyMap<number, number>): Tile[] {
  const tiles = red.has(kind) ? [plain(kind), redOf(kind)] : [plain(kind)];
  return tiles.flatMap((tile) => Array.from({ length: copiesLeft(before, tile, red) }, () => tile));
}

/** The number of unused copies of exactly this tile, red or plain. */
export function copiesLeft(calculation: Calculation, tile: Tile, red: ReadonlyMap<number, number>): number {
  const kind = kindOf(tile);
  const reds = red.get(kind) ?? 0;
  const copies = (isRed(tile) ? reds : 4 - reds) - allTiles(calculation).filter((other) => other === tile).length;
  return Math.max(0, Math.min(copies, 4 - usedCount(calculation, kind)));
}

/** Replace a plain tile with the red one in the newest chi that contains it; null if there is none. */
function reddened(before: Calculation, tile: Tile): Calculation | null {
  if (!isRed(tile)) return null;
  const plainOne = plain(kindOf(tile));
  const at = before.melds.findLastIndex((meld) => meld.type === "chi" && tilesOf(meld.tiles).includes(plainOne));
  const meld = before.melds[at];
  if (!meld) return null;
  const tiles = tilesOf(meld.tiles);
  const text = textOf(sorted(tiles.with(tiles.indexOf(plainOne), tile)));
  const called = meld.called === plainOne ? tile : (meld.called ?? null);
  return { ...before, melds: before.melds.with(at, { ...meld, tiles: text, called }) };
}

/** The calculation after a tap on a tile; unchanged if there is no room or no copy left. */
export function tapped(
  before: Calculation,
  target: Target,
  tile: Tile,
  red: ReadonlyMap<number, number> = new Map(),
): Calculation {
  const placed = allTiles(before).filter((other) => other === tile).length;
  const changed = target === "chi" && placed < (red.get(kindOf(tile)) ?? 0) ? reddened(before, tile) : null;
  if (changed) return changed;
  const tiles = tilesFor(before, target, tile, red);
  if (tiles.length < SIZES[target] || tiles.some((added) => copiesLeft(before, added, red) < 1)) return before;
  switch (target) {
    case "hand": {
      if (before.hand.length >= fullSize(before)) return before;
      const hand = [...before.hand, tile];
      return { ...before, hand: hand.length < fullSize(before) ? sorted(hand) : hand };
    }
    case "dora":
    case "ura":
      return before[target].length < MAX_INDICATORS ? { ...before, [target]: [...before[target], tile] } : before;
    default:
      return withMeld(before, target, tiles);
  }
}

function withMeld(before: Calculation, target: "chi" | "pon" | "ankan" | "kan", tiles: Tile[]): Calculation {
  if (before.melds.length >= 4 || before.hand.length > fullSize(before) - 3) return before;
  const text = textOf(sorted(tiles));
  const meld: Meld =
    target === "ankan"
      ? { type: "ankan", tiles: text }
      : { type: target === "kan" ? "daiminkan" : target, tiles: text, called: tiles[0] ?? null, from: "left" };
  return { ...before, melds: [...before.melds, meld], riichi: target === "ankan" ? before.riichi : "" };
}

export function untapped(before: Calculation, at: number): Calculation {
  return { ...before, hand: sorted(before.hand.filter((_, i) => i !== at)) };
}

export function withWinningTile(before: Calculation, at: number): Calculation {
  const tile = before.hand[at];
  return tile === undefined ? before : { ...before, hand: [...before.hand.filter((_, i) => i !== at), tile] };
}

/** The request to the server; null while tiles are missing. */
export function requestOf(calculation: Calculation): WinRequest | null {
  const win = calculation.hand.at(-1);
  if (calculation.hand.length !== fullSize(calculation) || !win) return null;
  const flags: Partial<Record<Flag, true>> = Object.fromEntries(calculation.flags.map((flag) => [flag, true]));
  return {
    ...situationOf(calculation),
    hand: textOf(calculation.hand.slice(0, -1)),
    win,
    by: calculation.by,
    riichi: calculation.riichi || null,
    ura: calculation.riichi ? textOf(calculation.ura) : "",
    ...calculation.known,
    ...flags,
  };
}

function situationOf({ rules, melds, dora, round, seat, honba, deposits, kita }: Calculation) {
  return { rules, melds, dora: textOf(dora), round, seat, honba, deposits, kita };
}

/** The hand in notation, in groups: concealed tiles, winning tile, each meld. */
export function groupsOf({ hand, melds }: Calculation): string {
  return [textOf(hand.slice(0, -1)), ...hand.slice(-1), ...melds.map(({ tiles }) => tiles)].join(" ");
}

/** The query string of a link to the calculation, without default values. */
export function queryOf(calculation: Calculation): string {
  const usual = fieldsOf(EMPTY);
  return new URLSearchParams(
    Object.entries(fieldsOf(calculation)).filter(([name, value]) => value !== usual[name]),
  ).toString();
}

function fieldsOf(calculation: Calculation): Record<string, string> {
  const { dora, ura, by, round, seat, riichi, flags, honba, deposits, kita, rules } = calculation;
  return {
    hand: formatHand(calculation),
    dora: textOf(dora),
    ura: textOf(ura),
    flags: flags.join(),
    honba: String(honba),
    deposits: String(deposits),
    kita: String(kita),
    ...{ by, round, seat, riichi, rules },
  };
}

function oneOf<Word extends string>(words: readonly Word[], value: string | null, usual: Word): Word {
  return words.find((word) => word === value) ?? usual;
}

/** Parse a query string from `queryOf`; invalid values become defaults. */
export function fromQuery(query: URLSearchParams): Calculation {
  const text = (name: string): string => query.get(name) ?? "";
  const indicators = (name: string): Tile[] =>
    isNotation(text(name)) ? tilesOf(text(name)).slice(0, MAX_INDICATORS) : [];
  const integer = (name: string, max: number): number =>
    Math.min(max, Math.max(0, Math.trunc(Number(text(name)) || 0)));
  const flags = text("flags").split(",");
  const { hand, melds } = { ...EMPTY, ...parseHand(text("hand")) };
  return {
    hand,
    melds,
    dora: indicators("dora"),
    ura: indicators("ura"),
    by: oneOf(["ron", "tsumo"], query.get("by"), EMPTY.by),
    round: oneOf(WINDS, query.get("round"), EMPTY.round),
    seat: oneOf(WINDS, query.get("seat"), EMPTY.seat),
    riichi: oneOf(["", "riichi", "double", "open", "double_open"], query.get("riichi"), ""),
    flags: FLAGS.filter((flag) => flags.includes(flag)),
    honba: integer("honba", 99),
    deposits: integer("deposits", 99),
    kita: integer("kita", MAX_KITA),
    rules: text("rules") || chosenRules(),
  };
}

/** The hand as a question to the lab about the best discard, without information about opponents. */
export function positionOf(calculation: Calculation, games: number): HandQuestionBody {
  return { ...situationOf(calculation), hand: textOf(calculation.hand), games };
}
