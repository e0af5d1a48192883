import { describe, expect, test } from "vitest";
import { movedTo, rearranged } from "./handOrder";

describe("a hand sorted by its player", () => {
  test("keeps its order, with new tiles at the end", () => {
    expect(rearranged(["9m", "1m", "5p"], ["1m", "5p", "7z", "9m"])).toEqual(["9m", "1m", "5p", "7z"]);
  });

  test("changes when a tile is moved", () => {
    expect(movedTo(["1m", "2m", "3m"], 0, 2)).toEqual(["2m", "3m", "1m"]);
  });
});
