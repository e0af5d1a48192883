import { expect, test } from "vitest";
import { isPossible, fitToRules, allowedBy, maxKita, PLAIN } from "./allowedByRules";
import { EMPTY, type Calculation } from "./calculatorState";

const TREE = {
  tiles: { red: { "5m": 1, "5p": 0, "3s": 2 } },
  riichi: { double: true, open: false, ippatsu: true },
  dora: { ura: true },
};

test("circumstances and red tiles are read from the rules' options", () => {
  const allowed = allowedBy(TREE);
  expect([...allowed.red]).toEqual([
    [4, 1],
    [20, 2],
  ]);
  expect([allowed.riichi, allowed.ippatsu, allowed.ura]).toEqual([["", "riichi", "double"], true, true]);
  const other = allowedBy({ riichi: { double: false, open: true, ippatsu: false }, dora: { ura: false } });
  expect([other.red.size, other.riichi, other.ippatsu, other.ura]).toEqual([0, ["", "riichi", "open"], false, false]);
  expect(allowedBy({ riichi: { open: true } }).riichi).toContain("double_open");
});

test("only what the rules lack is removed", () => {
  const calculation: Calculation = {
    ...EMPTY,
    hand: ["0m", "0m", "0p", "3rs"],
    melds: [{ type: "chi", tiles: "067p", called: "0p", from: "left" }, { type: "pon", tiles: "3r33s", called: "3s", from: "left" }],
    ura: ["1m"], riichi: "open", flags: ["ippatsu", "last_tile"],
  }; // prettier-ignore
  const once = fitToRules(calculation, allowedBy(TREE));
  expect(once.hand).toEqual(["0m", "5m", "5p", "3rs"]);
  expect(once.melds).toMatchObject([
    { tiles: "567p", called: "5p" },
    { tiles: "3r33s", called: "3s" },
  ]);
  expect([once.riichi, once.flags, once.ura]).toEqual(["riichi", ["ippatsu", "last_tile"], ["1m"]]);
  expect(fitToRules(once, allowedBy(TREE))).toBe(once);
  const bare = fitToRules(once, allowedBy({ riichi: { double: false, ippatsu: false }, dora: { ura: false } }));
  expect([bare.hand, bare.flags, bare.ura]).toEqual([["5m", "5m", "5p", "3s"], ["last_tile"], []]);
  expect(bare.melds[1]).toMatchObject({ tiles: "333s", called: "3s" });
});

test("three players have no chi, no North seat and fewer man tiles, but set norths aside", () => {
  const allowed = allowedBy({
    match: { players: 3 },
    tiles: { man: "one_nine" },
    calls: { chi: false },
    kita: { nukidora: true },
  });
  expect([allowed.seats, allowed.man, allowed.chi, allowed.kita]).toEqual([
    ["east", "south", "west"],
    "one_nine",
    false,
    true,
  ]);
  const calculation: Calculation = {
    ...EMPTY, hand: ["1m", "5m", "9m", "4z"], seat: "north", kita: 2, dora: ["3m", "9m"],
    melds: [{ type: "chi", tiles: "123p", called: "1p", from: "left" }, { type: "pon", tiles: "555m", called: "5m", from: "left" }],
  }; // prettier-ignore
  expect(fitToRules(calculation, allowed)).toMatchObject({
    hand: ["1m", "9m", "4z"],
    seat: "south",
    kita: 2,
    dora: ["9m"],
    melds: [],
  });
  expect(fitToRules(calculation, PLAIN).kita).toBe(0);
  expect(maxKita(calculation)).toBe(3);
});

test.each<[string, Partial<Calculation>, boolean]>([
  ["ippatsu", {}, false],
  ["ippatsu", { riichi: "riichi" }, true],
  ["rinshan", { by: "tsumo" }, false],
  ["rinshan", { by: "tsumo", melds: [{ type: "ankan", tiles: "1111z" }] }, true],
  ["rinshan", { by: "tsumo", kita: 1 }, true],
  ["rinshan", { by: "ron", melds: [{ type: "ankan", tiles: "1111z" }] }, false],
  ["chankan", { by: "tsumo" }, false],
  ["chankan", { by: "ron" }, true],
  ["first_turn", { melds: [{ type: "pon", tiles: "111z", called: "1z", from: "left" }] }, false],
  ["first_turn", { by: "ron", seat: "east" }, false],
  ["first_turn", { by: "tsumo", seat: "east" }, true],
  ["first_turn", { dora: ["1m", "2m"] }, false],
  ["last_tile", {}, true],
  ["last_tile", { flags: ["first_turn"] }, false],
])("%s with %o is possible: %s", (flag, changes, can) => {
  expect(isPossible(flag as "ippatsu", { ...EMPTY, ...changes })).toBe(can);
});

test("the rules decide whether tiles in the player's own melds count as waits", () => {
  expect([allowedBy({}).waitInMelds, allowedBy({ draw: { wait_in_melds: true } }).waitInMelds]).toEqual([false, true]);
});
