// Results of many games typed or pasted into one sheet, and table draws for a league night.
import type { RecordedSummary, RoundInfo, TableResult } from "$generated/wire";
import { shuffled } from "$domain/starting";
import { parseCells } from "./csv";
import { endOf, parsePoints, type EndDraft, type EndRules } from "./gameEnd";

export interface Result {
  row: SheetRow;
  result: TableResult;
}

/** A table of a round with the server's record of its game. */
export interface SheetRow {
  table: number;
  players: readonly string[];
  game: RecordedSummary | null;
}

const MAX_PASTED = 200_000;
const MAX_LINES = 1000;

export function sheetRows(round: RoundInfo, games: readonly RecordedSummary[]): SheetRow[] {
  const known = new Map(games.map((game) => [game.id, game]));
  return round.tables.map(({ number, players, game }) => ({
    table: number,
    players,
    game: known.get(game ?? "") ?? null,
  }));
}

/** Whether points were entered, confirmed or not. */
function hasPoints({ game }: SheetRow): boolean {
  return game !== null && (game.status === "confirmed" || (game.status === "over" && !game.hands));
}

/** Entered points as field texts; empty without points. */
export function enteredScores(row: SheetRow): string[] {
  const scores = hasPoints(row) ? row.game?.scores : null;
  return row.players.map((_, seat) => String(scores?.[seat] ?? ""));
}

/** Whether the game has hands or is confirmed, so that a change needs a reason. */
export function wasEntered(row: SheetRow): boolean {
  return row.game !== null && (row.game.hands > 0 || row.game.status === "confirmed");
}

/** The state of a row: empty, partly typed, complete but wrong, or ready. */
export function rowState(draft: EndDraft, rules: EndRules) {
  const typed = draft.scores.filter((text) => text.trim() !== "").length;
  const whole = endOf(draft, rules) ? "ready" : "wrong";
  return typed === 0 ? "empty" : typed < draft.scores.length ? "part" : whole;
}

export function resultOf(row: SheetRow, draft: EndDraft, rules: EndRules): TableResult | null {
  const end = endOf(draft, rules);
  const revision = wasEntered(row) || hasPoints(row) ? (row.game?.revision ?? null) : null;
  return end && { table: row.table, ...end, revision };
}

/** Split pasted text into non-empty lines of cells, ignoring thousands separators. */
function pastedLines(text: string): string[][] {
  const plain = text.slice(0, MAX_PASTED).replace(/(\d),(?=\d{3}(\D|$))/g, "$1");
  return parseCells(plain).filter((line) => line.some(Boolean));
}

/** Whether a cell holds points rather than a formula or other text. */
const isPoints = (cell = ""): boolean => parsePoints(cell) !== null;

/**
 * Read scores copied from a spreadsheet: lines with names and points, with a table number and points, or with points
 * only, starting at field `at`. `scores`: by table and seat; `unread`: number of unusable lines; `tooLong`: too many lines.
 */
export function readPastedScores(
  text: string,
  rows: readonly SheetRow[],
  name: (entry: string) => readonly string[],
  at: { row: number; seat: number },
) {
  const scores = new Map<number, Map<number, string>>();
  let unread = 0;
  const lines = pastedLines(text);
  if (lines.length > MAX_LINES) return { scores, unread, tooLong: true };
  const seats = new Map(
    rows.flatMap(({ table, players }) =>
      players.flatMap((entry, seat) => name(entry).map((spelling) => [spelling, { table, seat }] as const)),
    ),
  );
  const put = (table: number, seat: number, points: string): void =>
    void scores.set(table, (scores.get(table) ?? new Map<number, string>()).set(seat, points));
  const seatCount = rows[0]?.players.length ?? 0;
  lines.forEach((line, i) => {
    const named = line.flatMap((cell, column) => {
      const seating = seats.get(cell);
      const points = line.slice(column + 1).find((next) => isPoints(next) || seats.has(next));
      return seating && points && isPoints(points) ? [{ ...seating, points }] : [];
    });
    const values = line.filter(Boolean);
    const table = rows.find((row) => String(row.table) === values[0]);
    const from = rows[at.row + i];
    if (named.length) for (const cell of named) put(cell.table, cell.seat, cell.points);
    else if (!values.every(isPoints)) unread += 1;
    else if (table && values.length === seatCount + 1)
      values.slice(1).forEach((points, seat) => put(table.table, seat, points));
    else if (at.seat + line.length > seatCount || !from) unread += 1;
    else line.forEach((points, column) => points && put(from.table, at.seat + column, points));
  });
  return { scores, unread, tooLong: false };
}

const EVENING_MS = 16 * 3_600_000; // lifetime of a league check-in

export function gamesTonight(games: readonly RecordedSummary[], now: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const game of games) {
    if (game.status === "cancelled" || !game.at || now - Date.parse(game.at) >= EVENING_MS) continue;
    for (const player of game.players) counts.set(player, (counts.get(player) ?? 0) + 1);
  }
  return counts;
}

/** Draw tables at random; surplus players with the most games tonight sit out. */
export function drawTables(
  people: readonly string[],
  seats: number,
  played: ReadonlyMap<string, number>,
  random?: () => number,
): { tables: string[][]; out: string[] } {
  const order = shuffled(people, random).sort((one, other) => (played.get(one) ?? 0) - (played.get(other) ?? 0));
  const whole = order.length - (order.length % seats);
  const mixed = shuffled(order.slice(0, whole), random);
  return {
    tables: Array.from({ length: whole / seats }, (_, at) => mixed.slice(at * seats, (at + 1) * seats)),
    out: order.slice(whole),
  };
}

/** Read lines of names and points, East first; null if no line is a complete game. */
export function readPastedGames(text: string, names: ReadonlyMap<string, string>, seats: number) {
  const lines = pastedLines(text).map((line) => line.filter(Boolean));
  if (lines.length > MAX_LINES) return null;
  const games = lines.flatMap((line) => {
    const players = line.flatMap((cell) => names.get(cell) ?? []);
    const scores = line.filter((cell) => !names.has(cell) && isPoints(cell)).slice(-seats);
    const whole = players.length === seats && new Set(players).size === seats && scores.length === seats;
    return whole ? [{ players, scores }] : [];
  });
  return games.length ? { games, unread: lines.length - games.length } : null;
}

/** Unfinished games of a league stage without recorded hands, which can end with points only. */
export function openRows(unfinished: readonly RecordedSummary[], stage: string): SheetRow[] {
  return unfinished
    .filter((game) => game.stage === stage && game.round === null && !game.hands && !game.replay)
    .map((game) => ({ table: game.number, players: game.players, game }))
    .sort((one, other) => one.table - other.table);
}
