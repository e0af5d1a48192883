// When each part of a win appears, in milliseconds: quick by default, however many yaku there are.
import type { Won } from "$generated/wire";

const STEP = 190;
const LONGEST = 1700; // for the yaku together
const PART = 220;
/** What passes before anything is told. */
export const FIRST = 250;
const DRAW = 700; // how long the hands of a draw are seen before the points move

/** The time from one yaku to the next. */
export function stepMs(yaku: number): number {
  return Math.min(STEP, LONGEST / Math.max(1, yaku));
}

/** When the fu and the value appear, after all yaku. */
export function partsMs(yaku: number): { fu: number; value: number } {
  const fu = yaku * stepMs(yaku);
  return { fu, value: fu + PART };
}

/** When each win of a hand begins to be told, and last when its points move. */
export function stepsOf(wins: readonly Won[]): number[] {
  return wins.reduce<number[]>((all, win) => [...all, (all.at(-1) ?? 0) + winMs(win)], [wins.length ? FIRST : DRAW]);
}

/** How long telling a win takes. */
export function winMs({ score }: Won): number {
  return partsMs(Object.keys(score.yaku).length).value + 2 * PART;
}
