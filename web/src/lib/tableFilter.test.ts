import { expect, test } from "vitest";
import type { TableInfo } from "../generated/wire";
import { fits, rulesOf, type TableFilter } from "./tableFilter";

const ALL: TableFilter = { length: "", rules: "", bots: "", free: false };

function table(id: string, length: string, bots: (string | null | undefined)[], status = "waiting"): TableInfo {
  const seats = bots.map((bot) => (bot === undefined ? null : { bot }));
  return { rules: { id, name: id.toUpperCase(), length }, status, seats } as unknown as TableInfo;
}

const TABLES = [
  table("wrc", "hanchan", [null, undefined, undefined, undefined]),
  table("ema", "east", [null, "gentle", undefined, undefined]),
  table("ema", "hanchan", [null, null, null, "strong"]),
  table("wrc", "hanchan", [null, null, null, undefined], "playing"),
];

test.each([
  [{}, [0, 1, 2, 3]],
  [{ length: "east" }, [1]],
  [{ rules: "ema" }, [1, 2]],
  [{ bots: "with" }, [1, 2]],
  [{ bots: "without" }, [0, 3]],
  [{ free: true }, [0, 1]],
  [{ free: true, bots: "without", rules: "wrc", length: "hanchan" }, [0]],
] as [Partial<TableFilter>, number[]][])("%o", (wanted, shown) => {
  expect(TABLES.flatMap((one, i) => (fits(one, { ...ALL, ...wanted }) ? [i] : []))).toEqual(shown);
});

test("rules to choose are those of the tables, and the chosen ones", () => {
  expect(rulesOf(TABLES, null)).toEqual([["ema", "EMA"], ["wrc", "WRC"]]);
  expect(rulesOf([], { id: "kmf", name: "KMF" })).toEqual([["kmf", "KMF"]]);
});
