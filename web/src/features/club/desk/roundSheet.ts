// The results of a round on one sheet: what is typed or pasted at each table, and whether it adds up.
import type { RecordedSummary, RoundInfo, TableResult } from "$generated/wire";
import { cells } from "./csv";
import { endOf, type EndDraft, type EndRules } from "./gameEnd";
import { summed, typedPoints, type Sum } from "./typedPoints";

/** A table of the round, and what the server has of its game. */
export interface SheetRow {
  table: number;
  players: readonly string[];
  game: RecordedSummary | null;
}

export const MOST_LINES = 1000; // of a table that is pasted

/** The tables of a round with their games. */
export function sheetRows(round: RoundInfo, games: readonly RecordedSummary[]): SheetRow[] {
  const known = new Map(games.map((game) => [game.id, game]));
  return round.tables.map(({ number, players, game }) => ({
    table: number,
    players,
    game: (game ? known.get(game) : undefined) ?? null,
  }));
}

/** Whether points have been entered: they count, or players have yet to confirm them. */
function hasPoints({ game }: SheetRow): boolean {
  return game !== null && (game.status === "confirmed" || (game.status === "over" && !game.hands));
}

/** The points that were entered, as they would be typed; empty fields where there are none. */
export function shownScores(row: SheetRow): string[] {
  const scores = hasPoints(row) ? (row.game?.scores ?? null) : null;
  return row.players.map((_, seat) => (scores ? String(scores[seat] ?? "") : ""));
}

/** Whether something was entered there before, so that a change needs a reason. */
export function hadBefore(row: SheetRow): boolean {
  return row.game !== null && (row.game.hands > 0 || row.game.status === "confirmed");
}

/** How a row stands: nothing typed, not all of it, all of it but wrong, or ready to be entered. */
export function rowState(draft: EndDraft, rules: EndRules): { state: "empty" | "part" | "wrong" | "ready"; sum: Sum } {
  const sum = summed(draft.scores, rules);
  const typed = draft.scores.filter((text) => text.trim() !== "").length;
  if (typed === 0) return { state: "empty", sum };
  if (typed < draft.scores.length) return { state: "part", sum };
  return { state: endOf(draft, rules) ? "ready" : "wrong", sum };
}

/** What the server is sent for a row; null while it would refuse it. */
export function resultOf(row: SheetRow, draft: EndDraft, rules: EndRules): TableResult | null {
  const end = endOf(draft, rules);
  return (
    end && {
      table: row.table,
      ...end,
      revision: hadBefore(row) || hasPoints(row) ? (row.game?.revision ?? null) : null,
    }
  );
}

export interface Pasted {
  /** The points by table and seat. */
  scores: Map<number, Map<number, string>>;
  /** Lines in which nothing could be read. */
  unread: number;
  /** Whether there are more lines than any round has. */
  long: boolean;
}

/** Points as they stand in a cell; formulas and other text are none. */
function pointsIn(cell: string): string | null {
  return typedPoints(cell) === null ? null : cell;
}

/** Read what was copied from a spreadsheet: lines of a name and its points, of a table and its points, or points alone from a field on. */
export function pasted(
  text: string,
  rows: readonly SheetRow[],
  name: (entry: string) => readonly string[],
  at: { row: number; seat: number },
): Pasted {
  const paste: Pasted = { scores: new Map(), unread: 0, long: false };
  const lines = cells(text.slice(0, 200_000).replace(/(\d),(?=\d{3}(\D|$))/g, "$1")).filter((line) =>
    line.some(Boolean),
  );
  if (lines.length > MOST_LINES) return { ...paste, long: true };
  const seats = new Map(
    rows.flatMap((row) =>
      row.players.flatMap((entry, seat) =>
        name(entry).map((spelling) => [spelling, { table: row.table, seat }] as const),
      ),
    ),
  );
  const put = (table: number, seat: number, points: string): void =>
    void paste.scores.set(table, (paste.scores.get(table) ?? new Map<number, string>()).set(seat, points));
  const seatCount = rows[0]?.players.length ?? 0;
  lines.forEach((line, i) => {
    const named = line.flatMap((cell, column) => {
      const seating = seats.get(cell);
      const points = line.slice(column + 1).find((next) => pointsIn(next) !== null || seats.has(next));
      return seating && points !== undefined && pointsIn(points) !== null ? [{ ...seating, points }] : [];
    });
    const values = line.filter(Boolean);
    const numbers = values.map(pointsIn);
    const table = rows.find((row) => String(row.table) === values[0]);
    if (named.length) for (const cell of named) put(cell.table, cell.seat, cell.points);
    else if (numbers.some((score) => score === null)) paste.unread += 1;
    else if (table && values.length === seatCount + 1)
      values.slice(1).forEach((points, seat) => put(table.table, seat, points));
    else if (at.seat + line.length > seatCount || !rows[at.row + i]) paste.unread += 1;
    else
      line.forEach((points, column) => points && put((rows[at.row + i] as SheetRow).table, at.seat + column, points));
  });
  return paste;
}
