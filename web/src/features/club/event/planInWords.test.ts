import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { StagePlan } from "$generated/wire";
import { loadWords, setLanguage } from "$domain/words.svelte";
import { countsOf, gameName, period, tiesOf } from "./planInWords";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await loadWords("club");
  await setLanguage("en");
});
afterAll(() => vi.unstubAllGlobals());

const LEAGUE: StagePlan = { id: "league", name: "Open league", counts: { best: 5 }, min_games: 3, max_games: 20 };

test("a game is named by its round or number, with the stage if there are several", () => {
  const rounds: StagePlan = { id: "swiss", kind: "rounds" };
  expect(gameName([rounds], { stage: "swiss", round: 3, label: "7" }, "Game 12")).toBe("Round 3 · Table 7");
  expect(gameName([rounds, LEAGUE], { stage: "league", round: null, label: "7" }, "Game 12")).toBe(
    "Open league · Game 12 · Table 7",
  );
  expect(gameName([LEAGUE], { stage: "league", label: "" })).toBe("");
});

describe("the counting rules", () => {
  test("state their numbers", () => {
    expect(countsOf(LEAGUE, [LEAGUE]).slice(1)).toEqual([
      "Each player's best 5 games count.",
      "Players need 3 games to be ranked. The others are listed below.",
      "Only each player's first 20 games count.",
    ]);
    expect(countsOf({ id: "a", counts: { best_run: 4 } }, [])[1]).toBe(
      "Each player's best streak of 4 consecutive games counts.",
    );
    expect(countsOf({ id: "a" }, [])[1]).toBe("All games count.");
  });

  test.each([
    [
      { cut: 20, carry: 0.5 },
      "The top 20 of “Open league” advance to this stage.",
      "50% of the points of “Open league” are carried over.",
    ],
    [
      { cut: 4, carry: 1 },
      "The top 4 of “Open league” advance to this stage.",
      "All points of “Open league” are carried over.",
    ],
    [{}, "All ranked players of “Open league” advance to this stage.", "Everyone starts at zero."],
  ])("state who advances and which points are carried over: %j", (more, advancing, carried) => {
    expect(countsOf({ id: "final", kind: "rounds", from: "league", ...more }, [LEAGUE])).toEqual([
      "Played in rounds; staff assign the seats.",
      advancing,
      carried,
      "All games count.",
    ]);
  });

  test("list the tie-breaks in order", () => {
    expect(tiesOf(["average_place", "head_to_head"])).toBe("Tie-breaks: average place, head-to-head result.");
    expect(tiesOf([])).toBe("");
  });
});

test("a period may be open at either end", () => {
  expect(period(null, undefined)).toBe("");
  expect(period("2025-06-01T00:00:00Z", null)).toMatch(/^from /);
  expect(period(null, "2025-06-01T00:00:00Z")).toMatch(/^until /);
});
