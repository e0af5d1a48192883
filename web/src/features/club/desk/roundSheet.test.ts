import { describe, expect, it } from "vitest";
import type { RecordedSummary } from "$generated/wire";
import type { EndRules } from "./gameEnd";
import { hadBefore, pasted, resultOf, rowState, type SheetRow } from "./roundSheet";

const RULES: EndRules = { start: 25000, stick: 1000, leftover: "first", chips: 0, yakitori: 0 };
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
  ])("of %j is %s", (scores, state) => expect(rowState(draft(...scores), RULES).state).toBe(state));

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
  ])("with %j had something before: %s", (more, had) => {
    const row = { ...(ROWS[1] as SheetRow), game: game(more) };
    expect(hadBefore(row)).toBe(had);
    expect(resultOf(row, draft("40000", "30000", "20000", "10000"), RULES)?.revision).toBe(had ? 7 : null);
  });
});

describe("what is pasted", () => {
  const read = (text: string, at = { row: 0, seat: 0 }) => {
    const { scores, unread, long } = pasted(text, ROWS, (entry) => [entry.toUpperCase()], at);
    return {
      scores: Object.fromEntries(
        [...scores].map(([table, cells]) => [table, [0, 1, 2, 3].map((seat) => cells.get(seat) ?? "").join(" ")]),
      ),
      unread,
      long,
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
  ])("%j is read", (text, scores, unread) => expect(read(text)).toEqual({ scores, unread, long: false }));

  it("goes down from the field where it is pasted", () => {
    expect(read("5\n6", { row: 0, seat: 2 })).toEqual({ scores: { 1: "  5 ", 2: "  6 " }, unread: 0, long: false });
    expect(read("5\n6\n7", { row: 1, seat: 0 })).toEqual({ scores: { 2: "5   " }, unread: 2, long: false });
  });

  it("is refused whole if it is no round", () =>
    expect(read("1\t2\t3\t4\n".repeat(10_000))).toEqual({ scores: {}, unread: 0, long: true }));
});
