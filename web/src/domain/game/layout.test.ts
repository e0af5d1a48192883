import { describe, expect, test } from "vitest";
import { layout, type BoardState, type Box, type Layout, type PlayerTiles, lapOf, rowsOf } from "./layout";

const PON = { long: 3.3334, deep: 1.45 };
const KAKAN = { long: 3.3334, deep: 2.12 };
const KAN = { long: 4.3334, deep: 1.45 };

function player(melds: readonly (typeof PON)[] = [], norths = 0, open = false): PlayerTiles {
  return { concealed: 14 - 3 * melds.length, open, norths, melds };
}

/** Board sizes on phones, tablets and desktops, some zoomed to 200%, and the minimum width of river tiles. */
const SIZES = {
  "upright phone": [384, 560, 26.8],
  "narrow phone": [314, 400, 21.4],
  "upright phone, 200%": [189, 330, 13.2],
  "phone on its side": [838, 305, 21.6],
  "short phone on its side": [661, 260, 18.4],
  "phone on its side, 200%": [416, 150, 10.6],
  tablet: [762, 800, 44.4],
  "tablet on its side": [1018, 560, 35],
  "desktop, 1440 x 900": [1114, 700, 43.8],
  "small desktop": [1274, 634, 39.7],
  "large screen": [1914, 880, 53],
  square: [600, 560, 33.5],
} as const;

const FOUR = [player([PON, KAN]), player([KAN, PON]), player([PON]), player([PON, PON, PON])];
const STACKED = [player([KAKAN]), player([KAKAN, PON, PON]), player([KAKAN, KAKAN]), player([KAKAN, KAN])];
const open = (players: readonly PlayerTiles[]): PlayerTiles[] => players.map((one) => ({ ...one, open: true }));
const THREE = [player([], 4), player([PON], 2), player([], 3)];
const STATES: Record<string, BoardState> = {
  beginning: { players: [player(), player(), player(), player()] },
  melds: { players: FOUR },
  "stacked kans": { players: STACKED },
  "an open riichi": { players: [player(), player([], 0, true), player(), player()] },
  "all hands": { players: open(FOUR), all: true },
  "opponents' hidden hands": { players: STACKED, all: true },
  "three players": { players: THREE },
  "three players, all hands": { players: open(THREE), all: true },
  "a win": { players: FOUR, opened: [{ at: 1, long: 12, waits: false }] },
  "a draw": { players: FOUR, opened: [0, 1, 2, 3].map((at) => ({ at, long: 13.6, waits: true })) },
  "two players": { players: [player(), player([PON])] },
};

/** The bounds of a rotated box on the board. */
function bounds({ x, y, wide, high, turn }: Box): { left: number; right: number; top: number; bottom: number } {
  const [across, down] = turn % 180 === 0 ? [wide, high] : [high, wide];
  return { left: x - across / 2, right: x + across / 2, top: y - down / 2, bottom: y + down / 2 };
}

function boxes({ centre, seats }: Layout): [string, Box][] {
  const found: [string, Box | null][] = [["centre", centre]];
  for (const { side, river, hand, melds, norths, plate, bubble } of seats) {
    for (const [what, box] of Object.entries({ river, hand, melds, norths, plate }))
      found.push([`${side} ${what}`, box]);
    if (bubble !== plate) found.push([`${side} bubble`, bubble]);
  }
  return found.filter((one): one is [string, Box] => one[1] !== null);
}

/** Pairs of boxes that overlap by more than the rim of a tile. */
function overlaps(placed: readonly [string, Box][], rim: number): string[] {
  return placed.flatMap(([name, box], i) =>
    placed.slice(i + 1).flatMap(([other, its]) => {
      const [one, two] = [bounds(box), bounds(its)];
      const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      return across > rim && down > rim ? [`${name} and ${other}: ${across.toFixed()} x ${down.toFixed()}`] : [];
    }),
  );
}

describe.each(Object.entries(SIZES))("on the board of a %s", (_, [wide, high, least]) => {
  test.each(Object.entries(STATES))("%s", (_, state) => {
    for (const head of state.all ? [0] : [0, 46]) {
      const found = layout(wide, high, { ...state, head });
      const placed = boxes(found);
      const button: [string, Box] = ["menu", { x: head / 2, y: head / 2, wide: head, high: head, turn: 0 }];
      const outside = [...placed, ...found.opened.map((box): [string, Box] => ["opened hand", box])].filter(
        ([, box]) => {
          const { left, right, top, bottom } = bounds(box);
          return left < -1 || right > wide + 1 || top < -1 || bottom > high + 1;
        },
      );
      expect(outside.map(([name]) => name)).toEqual([]);
      expect(overlaps([button, ...placed], found.tile * 0.07)).toEqual([]);
      expect(found.tile).toBeGreaterThan(least - 0.1);
    }
  });
});

const river = (count: number, sideways = -1): { sideways: boolean; key: number }[] =>
  Array.from({ length: count }, (_, key) => ({ sideways: key === sideways, key }));

describe.each(Array.from({ length: 31 }, (_, count) => count))("a river of %i tiles", (count) => {
  test("no tile is half covered, wherever the sideways tile is", () => {
    for (let sideways = -1; sideways < count; sideways++) {
      for (const row of rowsOf(river(count, sideways))) expect(lapOf(row)).toBeLessThan(0.5);
    }
  });

  test("every tile appears once, in order", () => {
    expect(
      rowsOf(river(count))
        .flat()
        .map(({ key }) => key),
    ).toEqual(river(count).map(({ key }) => key));
  });
});

test("rows of six do not overlap", () => {
  expect(rowsOf(river(18)).map((row) => [row.length, lapOf(row)])).toEqual([
    [6, 0],
    [6, 0],
    [6, 0],
  ]);
  expect(rowsOf(river(22)).map((row) => row.length)).toEqual([6, 6, 10]);
});
