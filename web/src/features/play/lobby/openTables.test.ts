import { sample } from "$domain/sample";
import { expect, test } from "vitest";
import type { TableInfo } from "$generated/wire";
import { fits, labelsBeside, rulesOf, type TableFilter } from "./openTables";

const ALL: TableFilter = { length: "", rules: "", players: 0, free: false };

function table(
  id: string,
  length: TableInfo["rules"]["length"],
  bots: (string | null | undefined)[],
  status: TableInfo["status"] = "waiting",
): TableInfo {
  const seats = bots.map((bot) => (bot === undefined ? null : { bot }));
  return sample<TableInfo>({ rules: { id, name: id.toUpperCase(), length }, status, seats });
}

const TABLES = [
  table("wrc", "hanchan", [null, undefined, undefined, undefined]),
  table("ema", "east", [null, "gentle", undefined, undefined]),
  table("ema", "hanchan", [null, null, null, "strong"]),
  table("wrc", "hanchan", [null, null, null, undefined], "playing"),
  table("kmf", "hanchan", [null, "gentle", undefined]),
];

test.each([
  [{}, [0, 1, 2, 3, 4]],
  [{ length: "east" }, [1]],
  [{ rules: "ema" }, [1, 2]],
  [{ free: true }, [0, 1, 4]],
  [{ players: 3 }, [4]],
  [{ players: 4, free: true }, [0, 1]],
  [{ free: true, rules: "wrc", length: "hanchan" }, [0]],
] as [Partial<TableFilter>, number[]][])("%o", (wanted, shown) => {
  expect(TABLES.flatMap((listed, i) => (fits(listed, { ...ALL, ...wanted }) ? [i] : []))).toEqual(shown);
});

test("the rules to choose from are those of the tables and the chosen ones", () => {
  expect(rulesOf(TABLES, null)).toEqual([
    ["ema", "EMA"],
    ["kmf", "KMF"],
    ["wrc", "WRC"],
  ]);
  expect(rulesOf([], { id: "kmf", name: "KMF" })).toEqual([["kmf", "KMF"]]);
});

test("a card does not repeat labels", () => {
  expect(labelsBeside("표준 · 동풍전", ["동풍전", "시간 제한"])).toEqual(["시간 제한"]);
  expect(labelsBeside("금요일", ["표준 · 동풍전", "동풍전", "", "레이팅"])).toEqual(["표준 · 동풍전", "레이팅"]);
  expect(labelsBeside("Standard · hanchan", ["Hanchan", "no clock"])).toEqual(["no clock"]);
  expect(labelsBeside("동풍전", ["동풍전"])).toEqual([]);
  expect(labelsBeside("동풍전 모임", ["동풍전"])).toEqual(["동풍전"]);
});
