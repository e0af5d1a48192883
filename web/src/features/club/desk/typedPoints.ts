// The points that a game ended with, as somebody types them from a paper sheet.
import { t } from "$domain/words.svelte";

/** A typed number of points: separators and wide digits are read; `null` if it is no whole number. */
export function typedPoints(text: string): number | null {
  const plain = text
    .normalize("NFKC")
    .replace(/[\s,.'’]/g, "")
    .replace(/^[−–▲△]/, "-");
  return /^-?\d{1,8}$/.test(plain) ? Number(plain) : null;
}

/** The same for a field of a form, which a browser only sends if it holds points; throws rather than guess. */
export function pointsIn(text: string): number {
  const points = typedPoints(text);
  if (points === null) throw new Error(t("desk.points.no_number"));
  return points;
}

const MOST_STICKS = 12; // more than lie on any table: then a number is missing or wrong
const SLIP = 1000; // what lies on the table for a slip, under rules whose riichi costs nothing

export interface Sum {
  scores: (number | null)[];
  /** What is still missing from the points of the game; negative if there are too many. */
  missing: number;
  /** Whether the server would take them: all are there, and only sticks that nobody won may be missing. */
  fits: boolean;
}

/** What a game begins with, and what may lie on the table at its end. */
export interface Counting {
  start: number;
  /** What a riichi stick is worth. */
  stick: number;
  /** Who gets the sticks that are left; those that go back to their owners are in the points already. */
  leftover: "first" | "nobody" | "riichi_owner";
}

const HUNDRED = 100; // sheets of paper often have points in hundreds

/** Whether typed points add up, but for sticks that lie on the table. They are in hundreds if only that adds up. */
export function summed(texts: readonly string[], rules: Counting): Sum {
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

function added(scores: (number | null)[], { start, stick, leftover }: Counting): Sum {
  const missing = start * scores.length - scores.reduce<number>((sum, score) => sum + (score ?? 0), 0);
  const sticks =
    missing > 0 &&
    leftover !== "riichi_owner" &&
    missing % (stick || SLIP) === 0 &&
    missing <= MOST_STICKS * (stick || SLIP);
  return { scores, missing, fits: scores.every((score) => score !== null) && (missing === 0 || sticks) };
}

/** With one field empty, what it must be if no stick was left over. */
export function rest(texts: readonly string[], rules: Counting): number | null {
  const empty = texts.filter((text) => text.trim() === "").length;
  return empty === 1 ? summed(texts, rules).missing : null;
}
