// How a game ended, as somebody types it from a paper sheet: points, and chips and yakitori where the rules have them.
import type { EventInfo, TableResult } from "$generated/wire";
import { number, signed, t } from "$domain/words.svelte";

/** A typed number of points: separators and wide digits are read; `null` if it is no whole number. */
export function typedPoints(text: string): number | null {
  const plain = text
    .normalize("NFKC")
    .replace(/[\s,.'’]/g, "")
    .replace(/^[−–▲△]/, "-");
  return /^-?\d{1,8}$/.test(plain) ? Number(plain) : null;
}

const MOST_STICKS = 12; // more than lie on any table: then a number is missing or wrong
const SLIP = 1000; // what lies on the table for a slip, under rules whose riichi costs nothing

/** What the rules of an event count at the end of a game; chips and yakitori are 0 under rules without them. */
export type EndRules = Pick<EventInfo, "start_points" | "stick" | "leftover" | "chips" | "yakitori">;

export const NO_RULES: EndRules = { start_points: 0, stick: 0, leftover: "first", chips: 0, yakitori: 0 };

const HUNDRED = 100; // sheets of paper often have points in hundreds

/**
 * Whether typed points add up, but for sticks that lie on the table; they are in hundreds if only that adds up.
 * `missing`: what is left of the points of the game, below zero if there are too many. `fits`: the server would take them.
 */
export function summed(texts: readonly string[], rules: EndRules): ReturnType<typeof added> {
  const scores = texts.map(typedPoints);
  const plain = added(scores, rules);
  if (plain.fits || scores.includes(null)) return plain;
  const hundreds = added(
    scores.map((score) => (score ?? 0) * HUNDRED),
    rules,
  );
  // a slip in hundreds is far from the sum of full points, and the other way round
  return hundreds.fits || Math.abs(hundreds.missing) < Math.abs(plain.missing) ? hundreds : plain;
}

function added(scores: (number | null)[], { start_points, stick, leftover }: EndRules) {
  const missing = start_points * scores.length - scores.reduce<number>((sum, score) => sum + (score ?? 0), 0);
  const sticks =
    missing > 0 &&
    leftover !== "riichi_owner" &&
    missing % (stick || SLIP) === 0 &&
    missing <= MOST_STICKS * (stick || SLIP);
  return { scores, missing, fits: scores.every((score) => score !== null) && (missing === 0 || sticks) };
}

/** With one field empty, what it must be if no stick was left over. */
export function rest(texts: readonly string[], rules: EndRules): number | null {
  const empty = texts.filter((text) => text.trim() === "").length;
  return empty === 1 ? summed(texts, rules).missing : null;
}

export interface EndDraft {
  scores: string[];
  chips: string[];
  noWin: boolean[];
}

export type GameEnd = Omit<TableResult, "table" | "revision">;

export function emptyEnd(seats: number): EndDraft {
  const each = <T>(value: T): T[] => Array.from({ length: seats }, () => value);
  return { scores: each(""), chips: each(""), noWin: each(false) };
}

const typedChips = (draft: EndDraft): (number | null)[] =>
  draft.chips.map((text) => (text.trim() ? typedPoints(text) : 0));

/** The sum of the chips, an empty field for 0; `null` if a field holds no number. */
export function chipSum(draft: EndDraft): number | null {
  return typedChips(draft).reduce<number | null>((sum, chip) => (sum === null || chip === null ? null : sum + chip), 0);
}

/** What the server is sent; `null` while it would refuse it. */
export function endOf(draft: EndDraft, rules: EndRules): GameEnd | null {
  const { scores, fits } = summed(draft.scores, rules);
  if (!fits || (rules.chips && chipSum(draft) !== 0)) return null;
  return {
    scores: scores.map((score) => score ?? 0),
    ...(rules.chips ? { chips: typedChips(draft).map((chip) => chip ?? 0) } : {}),
    ...(rules.yakitori ? { no_win: draft.noWin.flatMap((on, seat) => (on ? [seat] : [])) } : {}),
  };
}

/** In words: the points that are missing, the mistake, or the seat that takes the remaining sticks. */
export function endStatus(draft: EndDraft, rules: EndRules): string {
  const { scores, missing, fits } = summed(draft.scores, rules);
  const points = number(missing);
  if (draft.scores.some((text) => !text.trim())) return t("desk.sheet.left", { points });
  if (scores.includes(null)) return t("desk.points.no_number");
  if (!fits && missing > 0 && rules.leftover === "riichi_owner") return t("desk.sheet.sticks_riichi_owner", { points });
  if (!fits) return t("desk.sheet.wrong", { points: signed(-missing) });
  if (rules.chips && chipSum(draft) !== 0) return t("desk.sheet.chips");
  return missing ? t(`desk.sheet.sticks_${rules.leftover}`, { points }) : "✓";
}
