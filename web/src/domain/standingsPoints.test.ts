import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RecordedSummary } from "$generated/wire";
import { loadWords, setLanguage } from "./words.svelte";
import { countedGames, course, gamesOf, formatPoints, type OwnGame, decimalsOf } from "./standingsPoints";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await loadWords("club");
  await setLanguage("en");
});
afterAll(() => vi.unstubAllGlobals());

function game(number: number, points: number, more: Partial<RecordedSummary> = {}): RecordedSummary {
  const at = `2025-06-0${number}T10:00:00Z`;
  const result = { scores: [25000, 25000, 25000, 25000], final: [points, 0, 0, -points], places: [2, 1, 3, 4] };
  return {
    id: `g${number}`,
    number,
    stage: "league",
    label: "",
    at,
    status: "confirmed",
    players: ["a", "b", "c", "d"],
    hands: 8,
    replay: null,
    penalties: [],
    ...result,
    ...more,
  };
}

const NEWEST_FIRST = [game(4, -20000), game(3, 40000), game(2, 30000), game(1, -10000)];
const own = (): OwnGame[] => gamesOf("a", NEWEST_FIRST);
const ids = (chosen: Set<string> | null): string[] | null => chosen && [...chosen].sort();

describe("a player's games", () => {
  test("are in order of play, with place and points", () => {
    expect(own().map(({ points }) => points)).toEqual([-10000, 30000, 40000, -20000]);
    expect(gamesOf("d", [game(1, 10000)])[0]).toMatchObject({ place: 4, points: -10000 });
  });

  test("include the player's penalties", () => {
    const fine = { number: 1, seat: 3, points: -5000, why: "late", at: null };
    expect(gamesOf("d", [game(1, 10000, { penalties: [fine, { ...fine, number: 2, seat: 0 }] })])[0]?.points).toBe(
      -15000,
    );
  });

  test("exclude unconfirmed, hidden and other players' games", () => {
    const hidden = { scores: null, final: null, places: null };
    expect(gamesOf("a", [game(1, 1, { status: "over" }), game(2, 1, hidden)])).toEqual([]);
    expect(gamesOf("x", NEWEST_FIRST)).toEqual([]);
  });

  test("add up", () => {
    expect(course(own())).toEqual({ average: 2, sums: [-10000, 20000, 60000, 40000] });
    expect(course([])).toEqual({ average: null, sums: [] });
  });
});

describe("which games count", () => {
  test.each([
    ["all", {}, 40000, ["g1", "g2", "g3", "g4"]],
    ["the first", { max_games: 2 }, 20000, ["g1", "g2"]],
    ["the best", { counts: { best: 2 } }, 70000, ["g2", "g3"]],
    ["the best of the first", { counts: { best: 1 }, max_games: 2 }, 30000, ["g2"]],
    ["the best run", { counts: { best_run: 3 } }, 60000, ["g1", "g2", "g3"]],
    ["a run longer than there are games", { counts: { best_run: 9 } }, 40000, ["g1", "g2", "g3", "g4"]],
    ["none if the points do not add up", { counts: { best: 2 } }, 65000, null],
  ])("%s", (_, stage, sum, wanted) => {
    expect(ids(countedGames(own(), { id: "league", ...stage }, sum))).toEqual(wanted);
  });

  test("none without games", () => {
    expect(ids(countedGames([], { id: "league", counts: { best_run: 3 } }, 0))).toEqual([]);
  });
});

test("points are exact thousands", () => {
  expect([43900, -18000, 0, 12345, 50].map((points) => formatPoints(points))).toEqual([
    "+43.9",
    "−18.0",
    "0.0",
    "+12.345",
    "+0.05",
  ]);
});

test("a column has as many decimals as its values need", () => {
  expect([[30000], [30000, -150], [30000, -12345], []].map(decimalsOf)).toEqual([1, 2, 3, 1]);
});
