// The result of a game as typed from a paper sheet: points, and chips and yakitori if the rules have them.
import type { EventInfo, TableResult } from "$generated/wire";
import { number, signed, t } from "$domain/words.svelte";

/** Parse a typed number of points, allowing separators and full-width digits; `null` if it is not a whole number. */
export function parsePoints(text: string): number | null {
  const plain = text
    .normalize("NFKC")
    .replace(/[\s,.'’]/g, "")
    .replace(/^[−–▲△]/, "-");
  return /^-?\d{1,8}$/.test(plain) ? Number(plain) : null;
}

const MAX_STICKS = 12; // never exceeded in play; above it a number is missing or wrong
const FOUL_DEPOSIT = 1000; // deposit for a foul, if riichi costs nothing

/** The rules that matter at the end of a game; chips and yakitori are 0 if unused. */
export type EndRules = Pick<EventInfo, "start_points" | "stick" | "leftover" | "chips" | "yakitori">;

export const NO_RULES: EndRules = { start_points: 0, stick: 0, leftover: "first", chips: 0, yakitori: 0 };

const HUNDRED = 100; // paper sheets often omit the last two zeros

/**
 * Check that typed points add up, except for sticks left on the table. If only that adds up, they are in hundreds.
 * `missing`: points not assigned to a player, negative if there are too many. `fits`: the server accepts the points.
 */
export function checkScores(texts: readonly string[], rules: EndRules): ReturnType<typeof sumUp> {
  const scores = texts.map(parsePoints);
  const plain = sumUp(scores, rules);
  if (plain.fits || scores.includes(null)) return plain;
  const hundreds = sumUp(
    scores.map((score) => (score ?? 0) * HUNDRED),
    rules,
  );
  // If neither reading adds up, take the closer one: typing errors are small compared with a factor of 100
  return hundreds.fits || Math.abs(hundreds.missing) < Math.abs(plain.missing) ? hundreds : plain;
}

function sumUp(scores: (number | null)[], { start_points, stick, leftover }: EndRules) {
  const missing = start_points * scores.length - scores.reduce<number>((sum, score) => sum + (score ?? 0), 0);
  const sticks =
    missing > 0 &&
    leftover !== "riichi_owner" &&
    missing % (stick || FOUL_DEPOSIT) === 0 &&
    missing <= MAX_STICKS * (stick || FOUL_DEPOSIT);
  return { scores, missing, fits: scores.every((score) => score !== null) && (missing === 0 || sticks) };
}

/** The value of the only empty field if no deposits are left over; null unless exactly one is empty. */
export function missingScore(texts: readonly string[], rules: EndRules): number | null {
  const empty = texts.filter((text) => text.trim() === "").length;
  return empty === 1 ? checkScores(texts, rules).missing : null;
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
  draft.chips.map((text) => (text.trim() ? parsePoints(text) : 0));

/** Sum of the chips, with empty fields as 0; `null` if a field is invalid. */
export function chipSum(draft: EndDraft): number | null {
  return typedChips(draft).reduce<number | null>((sum, chip) => (sum === null || chip === null ? null : sum + chip), 0);
}

/** The result to send; `null` while the server would refuse it. */
export function endOf(draft: EndDraft, rules: EndRules): GameEnd | null {
  const { scores, fits } = checkScores(draft.scores, rules);
  if (!fits || (rules.chips && chipSum(draft) !== 0)) return null;
  return {
    scores: scores.map((score) => score ?? 0),
    ...(rules.chips ? { chips: typedChips(draft).map((chip) => chip ?? 0) } : {}),
    ...(rules.yakitori ? { no_win: draft.noWin.flatMap((on, seat) => (on ? [seat] : [])) } : {}),
  };
}

/** Describe the missing points, the mistake, or who gets the remaining sticks. */
export function endStatus(draft: EndDraft, rules: EndRules): string {
  const { scores, missing, fits } = checkScores(draft.scores, rules);
  const points = number(missing);
  if (draft.scores.some((text) => !text.trim())) return t("desk.sheet.left", { points });
  if (scores.includes(null)) return t("desk.points.no_number");
  if (!fits && missing > 0 && rules.leftover === "riichi_owner") return t("desk.sheet.sticks_riichi_owner", { points });
  if (!fits) return t("desk.sheet.wrong", { points: signed(-missing) });
  if (rules.chips && chipSum(draft) !== 0) return t("desk.sheet.chips");
  return missing ? t(`desk.sheet.sticks_${rules.leftover}`, { points }) : "✓";
}
