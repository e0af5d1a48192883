// How a game ended, as somebody types it from a paper sheet: points, and chips and yakitori where the rules have them.
import type { EventInfo } from "$generated/wire";

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

/** What a chip is worth and what yakitori costs; 0 under rules without them. */
export interface Prizes {
  chips: number;
  yakitori: number;
}

/** What the rules count at the end of a game. */
export type EndRules = Counting & Prizes;

/** Those of an event. */
export function endRules(info: EventInfo | null): EndRules {
  return {
    start: info?.start_points ?? 0,
    stick: info?.stick ?? 0,
    leftover: info?.leftover ?? "first",
    chips: info?.chips ?? 0,
    yakitori: info?.yakitori ?? 0,
  };
}

export interface EndDraft {
  scores: string[];
  chips: string[];
  noWin: boolean[];
}

export interface GameEnd {
  scores: number[];
  chips?: number[];
  no_win?: number[];
}

export function emptyEnd(seats: number): EndDraft {
  const each = <T>(value: T): T[] => Array.from({ length: seats }, () => value);
  return { scores: each(""), chips: each(""), noWin: each(false) };
}

/** Which of chips and yakitori must be entered beside the points; `null` for neither. */
export function prizesOf(rules: Prizes): "chips" | "yakitori" | "both" | null {
  if (rules.chips) return rules.yakitori ? "both" : "chips";
  return rules.yakitori ? "yakitori" : null;
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
