import { expect, test } from "vitest";
import { SITES, siteOf } from "./onlineSites";

test("a typed site name is normalised", () => {
  expect(SITES.map(siteOf)).toEqual(SITES);
  expect([" Tenhou ", "Riichi City", "tenhou.net", "-x-", "天鳳"].map(siteOf)).toEqual([
    "tenhou",
    "riichi-city",
    "tenhou-net",
    "x",
    "",
  ]);
});
