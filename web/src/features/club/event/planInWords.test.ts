import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { StagePlan } from "$generated/wire";
import { loadWords, speak } from "$domain/words.svelte";
import { countsOf, gameName, period, tiesOf } from "./planInWords";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await loadWords("club");
  await speak("en");
});
afterAll(() => vi.unstubAllGlobals());

const LEAGUE: StagePlan = { id: "league", name: "Open league", counts: { best: 5 }, min_games: 3, max_games: 20 };

test("a game is named by its round, else by its number, and by its stage among several", () => {
  const rounds: StagePlan = { id: "swiss", kind: "rounds" };
  expect(gameName([rounds], { stage: "swiss", round: 3, label: "7" }, "Game 12")).toBe("Round 3 · Table 7");
  expect(gameName([rounds, LEAGUE], { stage: "league", round: null, label: "7" }, "Game 12")).toBe(
    "Open league · Game 12 · Table 7",
  );
  expect(gameName([LEAGUE], { stage: "league", label: "" })).toBe("");
});

describe("what counts", () => {
  test("is said with its numbers", () => {
    expect(countsOf(LEAGUE, [LEAGUE]).slice(1)).toEqual([
      "Each player's best 5 games count.",
      "Ranked with 3 games or more; everyone else comes after.",
      "Only the first 20 games of a player count.",
    ]);
    expect(countsOf({ id: "a", counts: { best_run: 4 } }, [])[1]).toBe(
      "Each player's best run of 4 games in a row counts.",
    );
    expect(countsOf({ id: "a" }, [])[1]).toBe("All games count.");
  });

  test.each([
    [{ cut: 20, carry: 0.5 }, "For the best 20 of “Open league”.", "50% of the points of “Open league” are kept."],
    [{ cut: 4, carry: 1 }, "For the best 4 of “Open league”.", "The points of “Open league” are kept."],
    [{}, "For everyone ranked in “Open league”.", "Everyone starts again at zero."],
  ])("says who gets in and with what: %j", (more, who, kept) => {
    expect(countsOf({ id: "final", kind: "rounds", from: "league", ...more }, [LEAGUE])).toEqual([
      "Played in rounds. The organisers seat the tables.",
      who,
      kept,
      "All games count.",
    ]);
  });

  test("names the tie-breaks in their order", () => {
    expect(tiesOf(["average_place", "head_to_head"])).toBe(
      "Equal points are decided by: average place, games between them.",
    );
    expect(tiesOf([])).toBe("");
  });
});

test("a period may be open at either end", () => {
  expect(period(null, undefined)).toBe("");
  expect(period("2025-06-01T00:00:00Z", null)).toMatch(/^from /);
  expect(period(null, "2025-06-01T00:00:00Z")).toMatch(/^until /);
});
