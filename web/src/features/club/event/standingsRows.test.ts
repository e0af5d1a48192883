import { describe, expect, test } from "vitest";
import type { PlayerStanding, StagePlan, StandingsBody } from "$generated/wire";
import {
  byesOf,
  changedSince,
  partsOf,
  rowsOf,
  rankText,
  initialStage,
  nameWithoutTeam,
  whyUnranked,
} from "./standingsRows";

function row(player: string, rank: number | null, more: Partial<PlayerStanding> = {}): PlayerStanding {
  const none = {
    points: 0,
    carried: 0,
    penalty: 0,
    games: 1,
    counted: 1,
    places: [1, 0, 0, 0],
    average_place: 1,
    qualified: true,
  };
  return { player, rank, ...none, ...more };
}

function body(league: PlayerStanding[], final: string[] = []): StandingsBody {
  const entered = final.map((player, i) => row(player, i + 1, { games: 0 }));
  return {
    stages: [
      { id: "league", standings: league, teams: [] },
      { id: "final", standings: entered, teams: [] },
    ],
    teams: [],
    byes: [],
    names: {},
  };
}

const PLAN: StagePlan[] = [{ id: "league" }, { id: "final", from: "league", cut: 2 }];
const LEAGUE = [row("a", 1), row("b", 2), row("c", 2), row("d", 4), row("e", 5, { qualified: false })];

describe("the rows of a stage", () => {
  test("have the cut below everyone who advances, including shared ranks", () => {
    const rows = rowsOf(body(LEAGUE, ["a", "b", "c"]), PLAN, "league");
    expect([rows.through, rows.cut]).toEqual([3, 2]);
    expect(rows.ranked.map(({ rank }) => rank)).toEqual([1, 2, 2, 4]);
    expect(rows.unqualified.map(({ player }) => player)).toEqual(["e"]);
  });

  test("keep the cut when a substitute plays in the next stage", () => {
    expect(rowsOf(body(LEAGUE, ["a", "b", "c", "d"]), PLAN, "league").through).toBe(3);
  });

  test("show no rank for unranked players", () => {
    const rows = [...LEAGUE, row("z", null, { games: 0, qualified: false })];
    expect(rows.map(rankText)).toEqual(["1", "2", "2", "4", "–", "–"]);
    expect(rowsOf(body([row("z", null, { games: 0, qualified: false })]), PLAN, "league").through).toBe(0);
  });

  test("have no cut if everyone or no one advances, or no stage follows", () => {
    const wide: StagePlan[] = [{ id: "league" }, { id: "final", from: "league", cut: 9 }];
    expect(rowsOf(body(LEAGUE, ["a", "b", "c", "d"]), wide, "league").through).toBe(0);
    expect(rowsOf(body([]), PLAN, "league").through).toBe(0);
    expect(rowsOf(body(LEAGUE, ["a"]), PLAN, "final").through).toBe(0);
    expect(rowsOf(body(LEAGUE, ["a"]), PLAN.slice(0, 1), "league").through).toBe(0);
    expect(rowsOf(body(LEAGUE), PLAN, "none").ranked).toEqual([]);
  });
});

test("the current stage is shown first", () => {
  expect(initialStage(body(LEAGUE, ["a"]), PLAN)).toBe("league");
  expect(initialStage(body([row("a", 1, { games: 0 })]), PLAN)).toBe("league");
  const both = body(LEAGUE);
  both.stages[1]?.standings.push(row("a", 1));
  expect(initialStage(both, PLAN)).toBe("final");
  for (const [kind, shown] of [
    ["rounds", "league"],
    ["open", "final"],
  ] as const) {
    expect(
      initialStage(both, [
        { id: "league", kind },
        { id: "final", kind: "open" },
      ]),
    ).toBe(shown); // free play beside rounds
  }
});

test("changed rows are detected, none on the first load", () => {
  const later = body([row("a", 2), row("b", 1, { points: 5000 }), row("f", 3)]);
  expect([...changedSince(body(LEAGUE), later, "league")]).toEqual(["b"]);
  expect(changedSince(null, later, "league").size).toBe(0);
});

test("points are split into games, penalties, byes and carried points", () => {
  expect(partsOf(row("a", 1, { points: 30000, penalty: -8000, carried: 12000 }), new Map([["a", 12000]]))).toEqual({
    games: 26000,
    penalty: -20000,
    bye: 12000,
    carried: 12000,
  });
});

test("points for byes are counted by stage", () => {
  const byes = [
    { stage: "league", player: "a", points: 12000 },
    { stage: "final", player: "b", points: 500 },
  ];
  expect([...byesOf({ ...body([]), byes }, "league")]).toEqual([["a", 12000]]);
  expect(byesOf(null, "league").size).toBe(0);
});

test("players without games are described as unplayed, not as below a minimum of one", () => {
  const none = row("z", null, { games: 0, qualified: false });
  const stage = { id: "league" };
  const unplayed = whyUnranked(none, stage);
  for (const least of [null, undefined, 0, 1]) expect(whyUnranked(none, { ...stage, min_games: least })).toBe(unplayed);
  const few = whyUnranked({ ...none, games: 2 }, { ...stage, min_games: 5 });
  const replaced = whyUnranked(none, { ...stage, carry: 0.5 });
  expect(new Set([unplayed, few, replaced]).size).toBe(3);
  expect(whyUnranked({ ...none, games: 3 }, stage)).toBe(replaced); // a house substitute with games
});

test("a team that distinguishes namesakes is not repeated", () => {
  expect(nameWithoutTeam("김민수 (청룡)", "청룡")).toBe("김민수");
  expect(nameWithoutTeam("김민수 (2)", "청룡")).toBe("김민수 (2)");
  expect(nameWithoutTeam("김민수 (청룡)", undefined)).toBe("김민수 (청룡)");
});
