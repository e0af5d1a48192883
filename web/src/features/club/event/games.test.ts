import { expect, test } from "vitest";
import type { RecordedSummary } from "$generated/wire";
import { gamesInProgress } from "./games";

function game(number: number, label: string, status = "playing"): RecordedSummary {
  return { number, label, status } as RecordedSummary;
}

test("games in progress are sorted by table", () => {
  const games = [
    game(9, ""),
    game(1, ""),
    game(8, "Table 10"),
    game(7, "Table 9", "over"),
    game(6, "Table 1", "confirmed"),
    game(5, "Table 2"),
  ];
  expect(gamesInProgress(games).map(({ number }) => number)).toEqual([5, 7, 8, 1, 9]);
});
