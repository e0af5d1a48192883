import { describe, expect, test } from "vitest";
import type { PlayerStanding, RecordedSummary, RoundInfo, StandingsBody } from "$generated/wire";
import { pagesOf, ROWS, slidesOf, TABLES } from "./screenSlides";

function row(player: string, rank: number, games = 1): PlayerStanding {
  return {
    player,
    rank,
    points: -rank,
    carried: 0,
    penalty: 0,
    games,
    counted: games,
    places: [0, 0, 0, games],
    average_place: 4,
    qualified: true,
  };
}

function game(number: number, status: RecordedSummary["status"]): RecordedSummary {
  return {
    id: `g${number}`,
    number,
    stage: "league",
    label: "",
    at: null,
    status,
    players: [],
    hands: 0,
    scores: null,
    final: null,
    places: null,
    penalties: [],
    replay: null,
  };
}

const rows = Array.from({ length: 45 }, (_, i) => row(`p${i}`, i + 1));
const body: StandingsBody = {
  stages: [{ id: "league", standings: [...rows, row("idle", 46, 0)], teams: [{ rank: 1, team: "A", points: 5 }] }],
  teams: [],
  byes: [],
  names: {},
};

const nameOf = (entry: string): string => entry;
const NOTHING = { stages: [{ id: "league" }], standings: null, games: [], round: null, nameOf };

describe("the slides", () => {
  test("list all players with games in pages that fit the screen", () => {
    const slides = slidesOf({ ...NOTHING, standings: body }).filter((slide) => slide.kind === "standings");
    expect(slides.map((slide) => slide.rows.length)).toEqual([15, 15, 15, 1]);
    expect(slides.map((slide) => slide.first)).toEqual([1, 16, 31, 1]);
    expect(slides.every((slide) => slide.rows.length <= ROWS)).toBe(true);
    expect(slides.at(-1)?.rows[0]).toMatchObject({ rank: "1", name: "A", points: 5 });
    expect(slides.flatMap((slide) => slide.rows.map(({ name }) => name))).not.toContain("idle");
  });

  test("show active tables and no hidden standings", () => {
    const games = Array.from({ length: TABLES + 2 }, (_, i) => game(i, i % 2 ? "playing" : "over"));
    const slides = slidesOf({ ...NOTHING, games: [...games, game(99, "confirmed")] });
    expect(slides.map((slide) => (slide.kind === "tables" ? slide.tables.length : 0))).toEqual([7, 7]);
  });

  test("show only the seating until the round starts", () => {
    const tables = Array.from({ length: TABLES + 1 }, (_, i) => ({
      number: i + 1,
      players: [],
      game: null,
      status: null,
      extra_s: 0,
    }));
    const timer = { minutes: 75, running: false, started: false, extra_s: 0, left_s: 4500, ends: null };
    const round: RoundInfo = {
      number: 2,
      state: "published",
      made_by: "plan",
      seed: 1,
      tables,
      byes: [],
      timer,
      published: null,
    };
    expect(
      slidesOf({ ...NOTHING, standings: body, round }).map((slide) => slide.kind === "seating" && slide.tables.length),
    ).toEqual([7, 6]);
    expect(
      slidesOf({ ...NOTHING, standings: body, round: { ...round, state: "running" } }).map(({ kind }) => kind),
    ).not.toContain("seating");
  });

  test("are empty before the first game", () => {
    expect(slidesOf(NOTHING)).toEqual([]);
    expect(
      slidesOf({
        ...NOTHING,
        standings: {
          stages: [{ id: "league", standings: [row("a", 1, 0)], teams: [] }],
          teams: [],
          byes: [],
          names: {},
        },
      }),
    ).toEqual([]);
  });
});

describe("paging", () => {
  test("distributes rows evenly without losing any", () => {
    const rows = Array.from({ length: 41 }, (_, i) => i);
    const pages = pagesOf(rows, 20);
    expect(pages.map((page) => page.length)).toEqual([14, 14, 13]);
    expect(pages.flat()).toEqual(rows);
    expect(pagesOf([], 20)).toEqual([[]]);
  });
});
