// How a game ended, as somebody types it from a paper sheet: points, and chips and yakitori where the rules have them.
import type { EventInfo } from "$generated/wire";
import { summed, typedPoints, type Counting } from "./typedPoints";

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
