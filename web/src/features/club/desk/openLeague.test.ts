import { expect, test } from "vitest";
import type { RecordedSummary } from "$generated/wire";
import { drawnTables, gamesTonight, openRows, pastedGames } from "./openLeague";

const NOW = Date.parse("2026-11-28T23:00:00Z");

function game(id: number, players: string[], changes: Partial<RecordedSummary> = {}): RecordedSummary {
  return {
    id: `g${id}`,
    number: id,
    stage: "league",
    label: "",
    round: null,
    revision: 0,
    at: "2026-11-28T20:00:00Z",
    status: "playing",
    players,
    hands: 0,
    scores: null,
    final: null,
    places: null,
    chips: null,
    yakitori: null,
    deducted: null,
    penalties: [],
    replay: null,
    ...changes,
  };
}

test("everybody is drawn once, and whoever has played most sits out", () => {
  const people = Array.from({ length: 14 }, (_, i) => `p${i}`);
  const played = new Map([
    ["p3", 2],
    ["p9", 2],
  ]);
  for (let turn = 0; turn < 50; turn++) {
    const { tables, out } = drawnTables(people, 4, played);
    expect(tables.map((table) => table.length)).toEqual([4, 4, 4]);
    expect([...tables.flat(), ...out].sort()).toEqual([...people].sort());
    expect(out.toSorted()).toEqual(["p3", "p9"]);
  }
  expect(drawnTables(people.slice(0, 3), 4, played)).toMatchObject({ tables: [] });
});

test("seats do not follow from who has played how much", () => {
  const played = new Map([["p0", 1]]);
  const seats = new Set(
    Array.from({ length: 60 }, () => drawnTables(["p0", "p1", "p2", "p3"], 4, played).tables[0]?.indexOf("p0")),
  );
  expect(seats.size).toBe(4);
});

test("only games of this evening that were not cancelled are counted", () => {
  const games = [
    game(1, ["a", "b"]),
    game(2, ["a", "c"], { status: "confirmed" }),
    game(3, ["a"], { status: "cancelled" }),
    game(4, ["a"], { at: "2026-11-27T20:00:00Z" }),
  ];
  expect([...gamesTonight(games, NOW)]).toEqual([
    ["a", 2],
    ["b", 1],
    ["c", 1],
  ]);
});

test("lines of names and points become games, whatever stands between them", () => {
  const names = new Map(["Ann", "Bo", "Cy", "Di"].map((name) => [name, name.toLowerCase()]));
  const text =
    "Ann\t43,000\tBo\t35000\tCy\t25000\tDi\t-3000\n3\tDi\tCy\tBo\tAnn\t250\t250\t250\t250\nAnn\t1\nAnn\tAnn\tBo\tCy\t1\t2\t3\t4\n";
  expect(pastedGames(text, names, 4)).toEqual({
    games: [
      { players: ["ann", "bo", "cy", "di"], scores: ["43000", "35000", "25000", "-3000"] },
      { players: ["di", "cy", "bo", "ann"], scores: ["250", "250", "250", "250"] },
    ],
    unread: 2,
  });
  expect(pastedGames("100\t200\t300\t400", names, 4)).toBeNull();
});

test("games with hands, of rounds and of tables here are not typed", () => {
  const games = [
    game(3, ["a"]),
    game(1, ["b"], { status: "over" }),
    game(2, ["c"], { hands: 1 }),
    game(4, ["d"], { round: 1 }),
    game(5, ["e"], { replay: "x" }),
    game(6, ["f"], { stage: "cup" }),
  ];
  expect(openRows(games, "league").map(({ table }) => table)).toEqual([1, 3]);
});
