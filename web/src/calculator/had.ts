// Which circumstances and red tiles the chosen rules have, so that only these are offered.
import { isRed, kindOf, plain, redOf, textOf, tilesOf, type Tile } from "../tiles/notation";
import type { Calculation, Flag, Riichi } from "./state";

export interface Had {
  /** How many tiles of a kind are red. */
  red: ReadonlyMap<number, number>;
  riichi: readonly Riichi[];
  ippatsu: boolean;
  ura: boolean;
}

export const PLAIN: Had = { red: new Map(), riichi: ["", "riichi", "double"], ippatsu: true, ura: true };

type Section = Readonly<Record<string, unknown>>;

/** Read this from a ruleset's option tree. */
export function hadUnder(tree: Readonly<Record<string, unknown>>): Had {
  const [tiles, riichi, dora] = ["tiles", "riichi", "dora"].map((name) => (tree[name] ?? {}) as Section);
  const red = Object.entries((tiles?.["red"] ?? {}) as Record<string, number>).filter(([, count]) => count > 0);
  const [double, open] = [riichi?.["double"] !== false, riichi?.["open"] === true];
  const kinds: [Riichi, boolean][] = [["", true], ["riichi", true], ["double", double], ["open", open], ["double_open", double && open]];
  return {
    red: new Map(red.map(([tile, count]) => [kindOf(tile), count])),
    riichi: kinds.filter(([, has]) => has).map(([kind]) => kind),
    ippatsu: riichi?.["ippatsu"] !== false,
    ura: dora?.["ura"] !== false,
  };
}

/** The tiles with surplus red ones turned plain; `left` counts the red tiles still available. */
function toned(tiles: readonly Tile[], left: Map<number, number>): Tile[] {
  return tiles.map((tile) => {
    if (!isRed(tile)) return tile;
    const kind = kindOf(tile);
    const count = left.get(kind) ?? 0;
    left.set(kind, count - 1);
    return count > 0 ? redOf(kind) : plain(kind);
  });
}

/** The calculation without anything the rules lack; the same object if nothing has to go. */
export function fitted(before: Calculation, had: Had): Calculation {
  const left = new Map(had.red);
  const next: Calculation = {
    ...before,
    hand: toned(before.hand, left),
    melds: before.melds.map((meld) => {
      const own = tilesOf(meld.tiles);
      const tiles = toned(own, left);
      return meld.called ? { ...meld, tiles: textOf(tiles), called: tiles[own.indexOf(meld.called)] ?? null } : { ...meld, tiles: textOf(tiles) };
    }),
    dora: toned(before.dora, left),
    ura: had.ura ? toned(before.ura, left) : [],
    riichi: had.riichi.includes(before.riichi) ? before.riichi : "riichi",
    flags: before.flags.filter((flag) => flag !== "ippatsu" || had.ippatsu),
  };
  return JSON.stringify(next) === JSON.stringify(before) ? before : next;
}

/** Whether a circumstance is possible with the rest of the calculation. */
export function canBe(flag: Flag, found: Calculation, had: Had): boolean {
  switch (flag) {
    case "ippatsu":
      return had.ippatsu && found.riichi !== "";
    case "rinshan":
      return found.by === "tsumo" && found.melds.some((meld) => meld.type !== "chi" && meld.type !== "pon");
    case "chankan":
      return found.by === "ron";
    case "first_turn":
      return found.melds.length === 0;
    case "last_tile":
      return true;
  }
}
