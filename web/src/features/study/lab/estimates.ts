// Estimates as text: values and their intervals.
import type { ChoiceRow, LabRow } from "$generated/wire";
import type { Action } from "$domain/game/choices";
import { formatted, t } from "$domain/words.svelte";

/** A value with the lower and upper end of its interval. */
export type Triple = readonly number[];
type Shape = "share" | "points" | "number" | "place" | "final";

const DIGITS: Record<Shape, number> = { share: 1, points: 0, number: 2, place: 2, final: 1 };
const UNIT: Record<Shape, number> = { share: 0.01, points: 1, number: 1, place: 1, final: 1000 };
const SIGNED: ReadonlySet<Shape> = new Set(["final"]);

function figure(value: number, shape: Shape, withSign: boolean): string {
  return formatted(value / UNIT[shape], {
    minimumFractionDigits: DIGITS[shape],
    maximumFractionDigits: DIGITS[shape],
    signDisplay: withSign ? "exceptZero" : "auto",
  });
}

/** The value without its interval: `21.3%`, `2.31`. */
export function valueOf(triple: Triple | null, shape: Shape): string {
  if (!triple) return "–";
  const text = figure(triple[0] ?? 0, shape, SIGNED.has(shape));
  return shape === "share" ? `${text}%` : text;
}

/** Half the width of the interval: `± 0.08`. */
export function spreadOf(triple: Triple | null, shape: Shape): string {
  if (!triple) return "";
  return `± ${figure(((triple[2] ?? 0) - (triple[1] ?? 0)) / 2, shape, false)}`;
}

/** A difference: `+1.2 pp`, `+189`. */
export function changeOf(triple: Triple | null, shape: Shape): string {
  if (!triple) return "–";
  const text = figure(triple[0] ?? 0, shape, true);
  return shape === "share" ? t("lab.pp", { value: text }) : text;
}

/** The interval of a difference: `−0.4 … +2.8`. */
export function rangeOf(triple: Triple | null, shape: Shape): string {
  return triple ? `${figure(triple[1] ?? 0, shape, true)} … ${figure(triple[2] ?? 0, shape, true)}` : "";
}

export function isClear(triple: Triple | null | undefined): boolean {
  return Boolean(triple && ((triple[1] ?? 0) > 0 || (triple[2] ?? 0) < 0));
}

/** The clarity of a difference: its size in half intervals. */
function clarity(row: LabRow): number {
  const [value = 0, low = 0, high = 0] = row.change ?? [];
  return Math.abs(value) / Math.max(1e-12, (high - low) / 2);
}

export function clearest(rows: readonly LabRow[]): LabRow[] {
  return rows.filter((row) => row.clear).toSorted((a, b) => clarity(b) - clarity(a));
}

/** Half the range of a common scale for the rows of a kind. */
export function scaleOf(rows: readonly LabRow[], kind: LabRow["kind"]): number {
  const ends = rows.filter((row) => row.kind === kind).flatMap((row) => (row.change ?? []).map(Math.abs));
  return Math.max(1e-12, ...ends);
}

/** Whether an action is the choice of a row. */
export function isChoice(action: Action | null, { how, tile }: Pick<ChoiceRow, "how" | "tile">): boolean {
  if (!action) return false;
  const named = ("riichi" in action && action.riichi) || ("kind" in action && action.kind) || action.type;
  return named === how && tile === ("tile" in action ? action.tile : null);
}
