import { describe, expect, test } from "vitest";
import type { SeasonPartInfo, StandingsBody, YearRow } from "$generated/wire";
import {
  countingParts,
  distanceOf,
  gamesMissing,
  isRankingHidden,
  hiddenParts,
  isDecided,
  pointsIn,
  stateOf,
  finalistParts,
  rowsAboveCut,
  winnersOf,
} from "./year";

function row(name: string, rank: number, points: number, finalist: boolean): YearRow {
  return {
    rank,
    name,
    points,
    games: 1,
    qualified: true,
    finalist,
    withdrawn: false,
    mine: false,
    entries: [{ part: "a", entry: name, points }],
  };
}

function part(id: string, more: Partial<SeasonPartInfo> = {}): SeasonPartInfo {
  const event = {
    share: 1,
    brings: 0,
    event: id,
    event_name: id,
    rules: "standard",
    rules_name: "Standard",
    status: "open",
    opens: null,
    closes: null,
    hidden: false,
  } as const;
  return { id, name: "", ranked: true, role: "organiser", plays: false, ...event, ...more };
}

const YEAR = [
  row("a", 1, 30_000, true),
  row("b", 2, 5_000, true),
  row("c", 2, 5_000, true),
  row("d", 4, -1_500, false),
];

describe("the cut line", () => {
  test("runs below everyone who shares the last place", () => expect(rowsAboveCut(YEAR)).toBe(3));
  test("runs below players who moved up for a withdrawn one", () => {
    const [first, second, third, fourth] = YEAR as [YearRow, YearRow, YearRow, YearRow];
    const year = [{ ...first, finalist: false, withdrawn: true }, second, { ...third, points: 4_000 }, fourth];
    expect(rowsAboveCut(year)).toBe(3);
    expect(year.map((entry) => distanceOf(entry, year, 2)?.points ?? null)).toEqual([null, 6_500, 5_500, 5_500]);
  });
  test("is not drawn if everyone or no one qualifies", () => {
    expect(rowsAboveCut(YEAR.slice(0, 3))).toBe(0);
    expect(rowsAboveCut(YEAR.slice(3))).toBe(0);
  });
  test("has a distance measured to the nearest player on its other side", () => {
    const distances = YEAR.map((entry) => distanceOf(entry, YEAR, 2));
    expect(distances.map((distance) => [distance?.side, distance?.points])).toEqual([
      ["inside", 31_500],
      ["inside", 6_500],
      ["inside", 6_500],
      ["outside", 6_500],
    ]);
    expect(distanceOf(YEAR[0] as YearRow, YEAR.slice(0, 3), 9)).toEqual({ side: "inside", points: null });
    expect(distanceOf(YEAR[3] as YearRow, YEAR, null)).toBeNull();
  });
});

test("points of a part sum all entries in it, or null without any", () => {
  const both = {
    ...row("a", 1, 7, true),
    entries: [
      { part: "a", entry: "x", points: 5 },
      { part: "a", entry: "y", points: 2 },
    ],
  };
  expect([pointsIn(both, "a"), pointsIn(both, "b")]).toEqual([7, null]);
});

describe("the parts of a season", () => {
  const trial = part("trial", { ranked: false });
  test("count for the year if ranked, created and not cancelled", () => {
    const parts = [trial, part("a"), part("b", { status: "cancelled" }), part("c", { event: null, status: null })];
    expect(countingParts(parts).map(({ id }) => id)).toEqual(["a"]);
    expect(
      hiddenParts([part("a", { hidden: true }), part("t", { ranked: false, hidden: true })]).map(({ id }) => id),
    ).toEqual(["a"]);
  });
  test("hide the year from everyone except staff of the events with hidden standings", () => {
    const hiddenFor = (role: SeasonPartInfo["role"]) => isRankingHidden([part("a"), part("b", { hidden: true, role })]);
    expect([hiddenFor(null), hiddenFor("recorder"), isRankingHidden([part("a", { role: null })])]).toEqual([
      true,
      false,
      false,
    ]);
  });
  test("decide the year once all counting parts are finished, including those without an event yet", () => {
    expect(isDecided([trial, part("a", { status: "closed" }), part("b", { status: "cancelled" })])).toBe(true);
    expect(isDecided([part("a", { status: "closed" }), part("b", { event: null, status: null })])).toBe(false);
    expect(isDecided([trial])).toBe(false);
  });
  test("take their state from the event and its dates", () => {
    const dates = { opens: "2026-03-01T00:00:00Z", closes: "2026-03-15T00:00:00Z" };
    const at = (day: string, more = {}) => stateOf(part("a", { ...dates, ...more }), Date.parse(`${day}T00:00:00Z`));
    expect([at("2026-02-28"), at("2026-03-01"), at("2026-03-14"), at("2026-03-15")]).toEqual([
      "upcoming",
      "open",
      "open",
      "ended",
    ]);
    expect(at("2026-02-28", { status: "closed" })).toBe("closed");
    expect(stateOf(part("a"), 0)).toBe("undated");
    expect(stateOf(part("a", { event: null, status: null }), 0)).toBe("none");
  });
  test("accept finalists after the counting parts, if the user organises the open event", () => {
    const final = part("final", { ranked: false });
    expect([...finalistParts([trial, part("a"), part("b"), final])]).toEqual(["final"]);
    expect([...finalistParts([part("a"), part("b")])]).toEqual(["b"]);
    expect([...finalistParts([part("a"), trial, part("b"), final, part("friendly", { ranked: false })])]).toEqual([
      "final",
      "friendly",
    ]);
    for (const more of [{ role: null }, { status: "closed" }, { event: null, status: null }] as const) {
      expect(finalistParts([part("a"), { ...final, ...more }]).size).toBe(0);
    }
    expect(finalistParts([final, trial]).size).toBe(0);
  });
});

test("winners lead the last stage and have games", () => {
  const standing = (player: string, rank: number, games: number) => ({
    player,
    rank,
    games,
    points: 0,
    carried: 0,
    penalty: 0,
    counted: games,
    places: [],
    average_place: null,
    qualified: true,
  });
  const body = (games: number): StandingsBody => ({
    stages: [
      { id: "top", standings: [standing("b", 1, 9)], teams: [] },
      { id: "title", standings: [standing("a", 1, games), standing("b", 2, games)], teams: [] },
    ],
    teams: [],
    byes: [],
    names: { a: "Ann", b: "Ben" },
  });
  expect(winnersOf(body(3))).toEqual(["Ann"]);
  expect(winnersOf(body(0))).toEqual([]);
});

test("a player may need more games to qualify", () => {
  expect([gamesMissing({ games: 3 }, 10), gamesMissing({ games: 12 }, 10), gamesMissing({ games: 0 }, 0)]).toEqual([
    7, 0, 0,
  ]);
});
