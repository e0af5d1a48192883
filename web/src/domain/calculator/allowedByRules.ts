// The circumstances and red tiles that the chosen rules allow, so that the calculator offers no others.
import { WINDS } from "../seats";
import { NORTH, isRed, kindOf, plain, redOf, textOf, tilesOf, type Tile } from "../tiles/notation";
import { hasKind, manOf } from "../tiles/tileSet";
import { EMPTY, MAX_KITA, usedCount, type Calculation, type Flag, type Riichi } from "./calculatorState";

export function allowedBy(tree: Readonly<Record<string, unknown>>) {
  const option = (section: string, name: string): unknown =>
    (tree[section] as Readonly<Record<string, unknown>> | undefined)?.[name];
  const is = (value: boolean, section: string, name: string): boolean => option(section, name) === value;
  const red = Object.entries((option("tiles", "red") ?? {}) as Record<string, number>);
  const [double, open] = [!is(false, "riichi", "double"), is(true, "riichi", "open")];
  const kinds: [Riichi, boolean][] = [
    ["", true],
    ["riichi", true],
    ["double", double],
    ["open", open],
    ["double_open", double && open],
  ];
  return {
    red: new Map(red.filter(([, count]) => count > 0).map(([tile, count]) => [kindOf(tile), count])),
    riichi: kinds.filter(([, has]) => has).map(([kind]) => kind),
    ippatsu: !is(false, "riichi", "ippatsu"),
    ura: !is(false, "dora", "ura"),
    chi: !is(false, "calls", "chi"),
    kita: is(true, "kita", "nukidora"),
    man: manOf(tree),
    /** Whether a hand is tenpai if it waits only for tiles that are all in its own melds. */
    waitInMelds: is(true, "draw", "wait_in_melds"),
    seats: WINDS.slice(0, Number(option("match", "players") ?? WINDS.length)),
  };
}

export type Allowed = ReturnType<typeof allowedBy>;
export const PLAIN = allowedBy({});

/** Replace surplus red tiles with plain ones; `left` counts the red tiles still available and is updated. */
function limitReds(tiles: readonly Tile[], left: Map<number, number>): Tile[] {
  return tiles.map((tile) => {
    if (!isRed(tile)) return tile;
    const kind = kindOf(tile);
    const count = left.get(kind) ?? 0;
    left.set(kind, count - 1);
    return count > 0 ? redOf(kind) : plain(kind);
  });
}

/** Remove everything the rules lack; returns the same object if nothing changes. */
export function fitToRules(before: Calculation, allowed: Allowed): Calculation {
  const left = new Map(allowed.red);
  const has = (tile: Tile): boolean => hasKind(allowed.man, kindOf(tile));
  const melds = before.melds.filter((meld) => (meld.type !== "chi" || allowed.chi) && tilesOf(meld.tiles).every(has));
  const next: Calculation = {
    ...before,
    hand: limitReds(before.hand.filter(has), left),
    melds: melds.map((meld) => {
      const own = tilesOf(meld.tiles);
      const tiles = limitReds(own, left);
      const called = meld.called && { called: tiles[own.indexOf(meld.called)] ?? null };
      return { ...meld, tiles: textOf(tiles), ...called };
    }),
    dora: limitReds(before.dora.filter(has), left),
    ura: allowed.ura ? limitReds(before.ura.filter(has), left) : [],
    kita: allowed.kita ? before.kita : 0,
    seat: allowed.seats.includes(before.seat) ? before.seat : EMPTY.seat,
    riichi: allowed.riichi.includes(before.riichi) ? before.riichi : "riichi",
    flags: before.flags.filter((flag) => flag !== "ippatsu" || allowed.ippatsu),
  };
  return JSON.stringify(next) === JSON.stringify(before) ? before : next;
}

/** The maximum number of norths the winner can have set aside, given those in use elsewhere. */
export function maxKita(calculation: Calculation): number {
  return MAX_KITA - usedCount({ ...calculation, kita: 0 }, kindOf(NORTH));
}

/** Whether a circumstance is compatible with the rest under any rules; the server checks what depends on the rules. */
export function isPossible(flag: Flag, { by, dora, flags, kita, melds, riichi, seat }: Calculation): boolean {
  const tsumo = by === "tsumo";
  const without = (...others: Flag[]): boolean => !others.some((other) => flags.includes(other));
  switch (flag) {
    case "ippatsu":
      return riichi !== "";
    case "rinshan":
      return tsumo && without("last_tile") && (kita > 0 || melds.some(({ type }) => type !== "chi" && type !== "pon"));
    case "chankan":
      return !tsumo && without("last_tile");
    case "first_turn":
      return !melds.length && dora.length <= 1 && without("last_tile") && (tsumo || (seat !== "east" && kita === 0));
    case "last_tile":
      return without("rinshan", "chankan", "first_turn");
  }
}
