// The points that a game ended with, as somebody types them from a paper sheet.
import { t } from "../lib/words.svelte";

/** A typed number of points: separators and wide digits are read; `null` if it is no whole number. */
export function typedPoints(text: string): number | null {
  const plain = text.normalize("NFKC").replace(/[\s,.'’]/g, "").replace(/^[−–▲△]/, "-");
  return /^-?\d{1,8}$/.test(plain) ? Number(plain) : null;
}

/** The same for a field of a form, which a browser only sends if it holds points; throws rather than guess. */
export function pointsIn(text: string): number {
  const points = typedPoints(text);
  if (points === null) throw new Error(t("desk.points.no_number"));
  return points;
}

export interface Sum {
  scores: (number | null)[];
  /** What is still missing from the points of the game; negative if there are too many. */
  missing: number;
  /** Whether the server would take them: all are there, and only sticks that nobody won may be missing. */
  fits: boolean;
}

const STICK = 1000;

/** Whether typed points add up to those of a game that began with `start` each. */
export function summed(texts: readonly string[], start: number): Sum {
  const scores = texts.map(typedPoints);
  const missing = start * texts.length - scores.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const fits = scores.every((one) => one !== null) && missing >= 0 && missing % STICK === 0;
  return { scores, missing, fits };
}

/** With one field empty, what it must be if no stick was left over. */
export function rest(texts: readonly string[], start: number): number | null {
  const empty = texts.filter((text) => text.trim() === "").length;
  return empty === 1 ? summed(texts, start).missing : null;
}
