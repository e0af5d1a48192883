import { describe, expect, it } from "vitest";
import type { RecordedSummary } from "$generated/wire";
import type { EndRules } from "./gameEnd";
import {
  drawTables,
  gamesTonight,
  wasEntered,
  openRows,
  readPastedScores,
  readPastedGames,
  resultOf,
  rowState,
  type SheetRow,
} from "./resultSheets";

const RULES: EndRules = { start_points: 25000, stick: 1000, leftover: "first", chips: 0, yakitori: 0 };
const game = (more: Partial<RecordedSummary>): RecordedSummary =>
  ({ id: "g", revision: 7, status: "playing", hands: 0, scores: null, ...more }) as RecordedSummary;
const ROWS: SheetRow[] = [
  { table: 1, players: ["a", "b", "c", "d"], game: null },
  { table: 2, players: ["e", "f", "g", "h"], game: game({}) },
];
const draft = (...scores: string[]) => ({ scores, chips: ["", "", "", ""], noWin: [false, false, false, false] });

describe("a row", () => {
  it.each([
    [["", "", "", ""], "empty"],
    [["40000", "", "", ""], "part"],
    [["40000", "30000", "20000", "10000"], "ready"],
    [["40,000", "30000", "20000", "9000"], "ready"],
    [["40000", "30000", "20000", "9900"], "wrong"],
    [["400", "300", "200", "100"], "ready"],
    [["400", "300", "200", "101"], "wrong"],
    [["1120", "0", "-20", "-100"], "ready"],
    [["=1", "2", "3", "4"], "wrong"],
  ])("of %j is %s", (scores, state) => expect(rowState(draft(...scores), RULES)).toBe(state));

  it("in hundreds is sent in full", () => {
    expect(resultOf(ROWS[0] as SheetRow, draft("400", "300", "200", "100"), RULES)).toEqual({
      table: 1,
      scores: [40000, 30000, 20000, 10000],
      revision: null,
    });
  });

  it.each([
    [{}, false],
    [{ hands: 2 }, true],
    [{ status: "confirmed" as const }, true],
  ])("with %j was entered before: %s", (more, had) => {
    const row = { ...(ROWS[1] as SheetRow), game: game(more) };
    expect(wasEntered(row)).toBe(had);
    expect(resultOf(row, draft("40000", "30000", "20000", "10000"), RULES)?.revision).toBe(had ? 7 : null);
  });
});

describe("pasted text", () => {
  const read = (text: string, at = { row: 0, seat: 0 }) => {
    const { scores, unread, tooLong } = readPastedScores(text, ROWS, (entry) => [entry.toUpperCase()], at);
    return {
      scores: Object.fromEntries(
        [...scores].map(([table, cells]) => [table, [0, 1, 2, 3].map((seat) => cells.get(seat) ?? "").join(" ")]),
      ),
      unread,
      tooLong,
    };
  };

  it.each([
    ["40,000\t30,000\t20,000\t10,000\n1\t2\t3\t4", { 1: "40000 30000 20000 10000", 2: "1 2 3 4" }, 0],
    ["2\t1\t2\t3\t4", { 2: "1 2 3 4" }, 0], // the table, then its points
    ["卓\t東\t南\n2\t1\t2\t3\t4", { 2: "1 2 3 4" }, 1], // titles
    ["H\t100\nA\t-200\r\n", { 2: "   100", 1: "-200   " }, 0], // names in any order
    ["1\tA\t10\tB\t20\tC\t30\tD\t40", { 1: "10 20 30 40" }, 0], // names beside points
    ["=SUM(A1)\t1\t2\t3", {}, 1],
    ["A\t=1+1", {}, 1],
    ["Nobody\t100", {}, 1],
    ["\u0000\u202E\t<b>", {}, 1],
  ])("%j is read", (text, scores, unread) => expect(read(text)).toEqual({ scores, unread, tooLong: false }));

  it("fills the rows below the target field", () => {
    expect(read("5\n6", { row: 0, seat: 2 })).toEqual({ scores: { 1: "  5 ", 2: "  6 " }, unread: 0, tooLong: false });
    expect(read("5\n6\n7", { row: 1, seat: 0 })).toEqual({ scores: { 2: "5   " }, unread: 2, tooLong: false });
  });

  it("is rejected if it is too long", () =>
    expect(read("1\t2\t3\t4\n".repeat(10_000))).toEqual({ scores: {}, unread: 0, tooLong: true }));
});

const NOW = Date.parse("2026-11-28T23:00:00Z");

function recorded(id: number, players: string[], changes: Partial<RecordedSummary> = {}): RecordedSummary {
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

it("everyone is drawn once, and the players with the most games sit out", () => {
  const people = Array.from({ length: 14 }, (_, i) => `p${i}`);
  const played = new Map([
    ["p3", 2],
    ["p9", 2],
  ]);
  for (let turn = 0; turn < 50; turn++) {
    const { tables, out } = drawTables(people, 4, played);
    expect(tables.map((table) => table.length)).toEqual([4, 4, 4]);
    expect([...tables.flat(), ...out].sort()).toEqual([...people].sort());
    expect(out.toSorted()).toEqual(["p3", "p9"]);
  }
  expect(drawTables(people.slice(0, 3), 4, played)).toMatchObject({ tables: [] });
});

it("seats do not depend on the number of games played", () => {
  const played = new Map([["p0", 1]]);
  const seats = new Set(
    Array.from({ length: 60 }, () => drawTables(["p0", "p1", "p2", "p3"], 4, played).tables[0]?.indexOf("p0")),
  );
  expect(seats.size).toBe(4);
});

it("only tonight's games are counted, without cancelled ones", () => {
  const games = [
    recorded(1, ["a", "b"]),
    recorded(2, ["a", "c"], { status: "confirmed" }),
    recorded(3, ["a"], { status: "cancelled" }),
    recorded(4, ["a"], { at: "2026-11-27T20:00:00Z" }),
  ];
  expect([...gamesTonight(games, NOW)]).toEqual([
    ["a", 2],
    ["b", 1],
    ["c", 1],
  ]);
});

it("lines of names and points become games in any column order", () => {
  const names = new Map(["Ann", "Bo", "Cy", "Di"].map((name) => [name, name.toLowerCase()]));
  const text =
    "Ann\t43,000\tBo\t35000\tCy\t25000\tDi\t-3000\n3\tDi\tCy\tBo\tAnn\t250\t250\t250\t250\nAnn\t1\nAnn\tAnn\tBo\tCy\t1\t2\t3\t4\n";
  expect(readPastedGames(text, names, 4)).toEqual({
    games: [
      { players: ["ann", "bo", "cy", "di"], scores: ["43000", "35000", "25000", "-3000"] },
      { players: ["di", "cy", "bo", "ann"], scores: ["250", "250", "250", "250"] },
    ],
    unread: 2,
  });
  expect(readPastedGames("100\t200\t300\t400", names, 4)).toBeNull();
});

it("games with hands, of rounds or played online are not offered for typing", () => {
  const games = [
    recorded(3, ["a"]),
    recorded(1, ["b"], { status: "over" }),
    recorded(2, ["c"], { hands: 1 }),
    recorded(4, ["d"], { round: 1 }),
    recorded(5, ["e"], { replay: "x" }),
    recorded(6, ["f"], { stage: "cup" }),
  ];
  expect(openRows(games, "league").map(({ table }) => table)).toEqual([1, 3]);
});
