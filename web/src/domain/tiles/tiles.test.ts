import { describe, expect, test } from "vitest";
import { piecesOf, sizeOf, turnedUp, type LaidMeld } from "./meldLayout";
import { kindOf, plain, sorted, textOf, tilesOf } from "./notation";
import { doraOf, hasKind, type ManTiles } from "./tileSet";

test.each([
  ["123m406p11z", ["1m", "2m", "3m", "4p", "0p", "6p", "1z", "1z"]],
  ["3rs", ["3rs"]],
  ["13r5s", ["1s", "3rs", "5s"]],
  ["", []],
])("%s survives a round trip", (text, tiles) => {
  expect(tilesOf(text)).toEqual(tiles);
  expect(textOf(tiles)).toBe(text);
});

test("every kind has a plain tile", () => {
  for (let kind = 0; kind < 34; kind++) expect(kindOf(plain(kind))).toBe(kind);
});

test("red tiles are sorted before their plain copies", () => {
  expect(sorted(["7z", "5m", "0m", "1m"])).toEqual(["1m", "0m", "5m", "7z"]);
});

test.each([
  ["9m", "1m"],
  ["0p", "6p"],
  ["4z", "1z"],
  ["7z", "5z"],
  ["2z", "3z"],
])("the indicator %s gives the dora %s", (indicator, dora) => {
  expect(plain(doraOf(indicator))).toBe(dora);
});

describe("the layout of a meld", () => {
  const sideways = (meld: Parameters<typeof piecesOf>[0]): number =>
    piecesOf(meld).findIndex((piece) => piece.sideways);

  test.each([
    ["left", 0],
    ["across", 1],
    ["right", 2],
  ] as const)("a tile called from the %s is sideways at index %i", (from, index) => {
    expect(sideways({ type: "pon", tiles: "777z", called: "7z", from })).toBe(index);
  });

  test("an open kan from the right has the called tile at the end", () => {
    expect(sideways({ type: "daiminkan", tiles: "1111p", called: "1p", from: "right" })).toBe(3);
  });

  test("an added tile is on top of the called one", () => {
    const pieces = piecesOf({ type: "kakan", tiles: "0555p", called: "5p", from: "across" });
    expect(pieces.map((piece) => piece.tile)).toEqual(["0p", "5p", "5p"]);
    expect(pieces[1]?.above).toBe("5p");
  });

  test.each([
    [{ type: "chi", tiles: "123m", called: "1m", from: "left" }, 3.33, 1.45],
    [{ type: "daiminkan", tiles: "1111p", called: "1p", from: "right" }, 4.33, 1.45],
    [{ type: "kakan", tiles: "5555p", called: "5p", from: "across" }, 3.33, 2.12],
    [{ type: "ankan", tiles: "5555p" }, 4, 1.45],
  ] as const)("the size of %o", (meld, long, deep) => {
    const size = sizeOf(piecesOf(meld));
    expect(size.long).toBeCloseTo(long, 2);
    expect(size.deep).toBe(deep);
  });

  test.each([
    ["outer_down", [null, "0s", "5s", null]],
    ["inner_down", ["0s", null, null, "5s"]],
    ["all_down", [null, null, null, null]],
  ])("an ankan under %s", (display, tiles) => {
    expect(piecesOf({ type: "ankan", tiles: "0555s" }, display).map((piece) => piece.tile)).toEqual(tiles);
  });

  test.each([
    ["outer_down", [null, "1s", "1s", null]],
    ["inner_down", ["1s", null, null, "1s"]],
    ["all_down", [null, "1s", "1s", null]],
  ])("a face-down ankan under %s is turned up with its hand", (display, tiles) => {
    const melds: LaidMeld[] = [
      { type: "ankan", tiles: "" },
      { type: "chi", tiles: "234m", called: "3m", from: "left" },
      { type: "ankan", tiles: "" },
    ];
    const shown = turnedUp(melds, "0555p1111s");
    expect(shown.map((meld) => piecesOf(meld, display).map((piece) => piece.tile))[2]).toEqual(tiles);
    expect(shown[0]).toEqual({ type: "ankan", tiles: "0555p", turned: true });
    expect(shown[1]).toEqual(melds[1]);
    expect(turnedUp(melds, null)).toEqual(melds);
  });
});

test.each<[ManTiles, string, string]>([
  ["one_nine", "1m", "9m"],
  ["one_nine", "9m", "1m"],
  ["one_five_nine", "1m", "5m"],
  ["one_five_nine", "0m", "9m"],
  ["one_nine", "9p", "1p"],
])("with the man tiles %s, the indicator %s gives %s", (man, indicator, dora) => {
  expect(plain(doraOf(indicator, man))).toBe(dora);
  expect(hasKind(man, doraOf(indicator, man))).toBe(true);
});
