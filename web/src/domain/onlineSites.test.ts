import { expect, test } from "vitest";
import { SITES, siteOf } from "./onlineSites";

test("a site is written in one way, however it is typed", () => {
  expect(SITES.map(siteOf)).toEqual(SITES);
  expect([" Tenhou ", "Riichi City", "tenhou.net", "-x-", "天鳳"].map(siteOf)).toEqual([
    "tenhou",
    "riichi-city",
    "tenhou-net",
    "x",
    "",
  ]);
});
