// A hand as text: concealed tiles, then melds, with calls as (340m) and closed kans as [1111z].
import type { Key } from "$generated/keys";
import type { Meld } from "$generated/wire";
import { isNotation, kindOf, sorted, textOf, tilesOf, type Tile } from "../tiles/notation";
import type { Calculation } from "./calculatorState";

type Hand = Pick<Calculation, "hand" | "melds">;
export type ParsedHand = Hand | { problem: Key; values: Record<string, string> };

const WORDS: Readonly<Record<string, string>> = {
  萬: "m", 万: "m", 만: "m", 筒: "p", 통: "p", 索: "s", 삭: "s",
  東: "1z", 南: "2z", 西: "3z", 北: "4z", 白: "5z", 發: "6z", 発: "6z", 中: "7z",
  동: "1z", 남: "2z", 서: "3z", 북: "4z", 백: "5z", 발: "6z", 중: "7z",
}; // prettier-ignore
const PARTS = /\(([^()[\]]*)\)|\[([^()[\]]*)\]|([^()[\]]+)/gy;

/** The number of concealed tiles in a full hand, including the winning tile. */
export function fullSize({ melds }: Pick<Hand, "melds">): number {
  return 14 - 3 * melds.length;
}

/** Parse typed text; accepts full-width characters, 萬筒索, 만통삭 and names of honours. */
export function parseHand(text: string): ParsedHand {
  const plain = [...text.normalize("NFKC").toLowerCase()]
    .map((sign) => WORDS[sign] ?? sign)
    .join("")
    .replace(/\s/g, "");
  const result: Hand = { hand: [], melds: [] };
  let at = 0;
  for (const part of plain.matchAll(PARTS)) {
    at += part[0].length;
    const [, called, closed, tiles] = part;
    const notation = called ?? closed ?? tiles ?? "";
    if (!isNotation(notation)) return { problem: "calc.typed_notation", values: { part: notation } };
    if (tiles !== undefined) {
      result.hand.push(...tilesOf(tiles).map(fiveAsZero));
      continue;
    }
    const meld = meldOf(tilesOf(notation).map(fiveAsZero), closed !== undefined);
    if (!meld) return { problem: "calc.typed_meld", values: { part: part[0] } };
    result.melds.push(meld);
  }
  if (at < plain.length) return { problem: "calc.typed_notation", values: { part: plain.slice(at) } };
  return checked(result);
}

/** Normalise 5r to 0. */
function fiveAsZero(tile: Tile): Tile {
  return tile.startsWith("5r") ? `0${tile.slice(2)}` : tile;
}

function meldOf(tiles: readonly Tile[], closed: boolean): Meld | null {
  const own = sorted(tiles);
  const kinds = own.map(kindOf);
  const [first = 0] = kinds;
  const alike = new Set(kinds).size === 1;
  const text = textOf(own);
  if (closed) return alike && own.length === 4 ? { type: "ankan", tiles: text } : null;
  const open = { tiles: text, called: tiles[0] ?? null, from: "left" } as const;
  if (alike && own.length === 4) return { type: "daiminkan", ...open };
  if (alike && own.length === 3) return { type: "pon", ...open };
  const run = own.length === 3 && first < 27 && first % 9 < 7 && kinds.every((kind, i) => kind === first + i);
  return run ? { type: "chi", ...open } : null;
}

function checked({ hand, melds }: Hand): ParsedHand {
  const max = fullSize({ melds });
  if (melds.length > 4 || hand.length > max)
    return { problem: "calc.typed_many", values: { most: String(Math.max(max, 0)) } };
  const all = [...hand, ...melds.flatMap((meld) => tilesOf(meld.tiles))];
  const fifth = all.find((tile) => all.filter((other) => kindOf(other) === kindOf(tile)).length > 4);
  if (fifth) return { problem: "calc.typed_fifth", values: { tile: fifth } };
  const complete = hand.length === max;
  return { hand: complete ? [...sorted(hand.slice(0, -1)), ...hand.slice(-1)] : sorted(hand), melds };
}

/** Format a hand for `parseHand`, with the winning tile separated by a space. */
export function formatHand({ hand, melds }: Hand): string {
  const complete = hand.length === fullSize({ melds });
  const tiles = complete ? `${textOf(hand.slice(0, -1))} ${hand.at(-1) ?? ""}` : textOf(hand);
  const sets = melds.map((meld) => (meld.type === "ankan" ? `[${meld.tiles}]` : `(${calledFirst(meld)})`));
  return [tiles, ...sets].join(" ").trim();
}

function calledFirst(meld: Meld): string {
  const own = tilesOf(meld.tiles);
  const at = own.findIndex((tile) => tile === meld.called);
  return at > 0 ? textOf([...own.slice(at, at + 1), ...own.toSpliced(at, 1)]) : meld.tiles;
}
