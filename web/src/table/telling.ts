// When each part of a win appears, in milliseconds: quick by default, however many yaku there are.
import type { WonEvent } from "../generated/wire";

const STEP = 190;
const LONGEST = 1700; // for the yaku together
const PART = 220;

/** The time from one yaku to the next. */
export function stepMs(yaku: number): number {
  return Math.min(STEP, LONGEST / Math.max(1, yaku));
}

/** When the fu and the value appear, after all yaku. */
export function partsMs(yaku: number): { fu: number; value: number } {
  const fu = yaku * stepMs(yaku);
  return { fu, value: fu + PART };
}

/** How long telling a win takes. */
export function tellingMs({ score }: WonEvent): number {
  return partsMs(Object.keys(score.yaku).length).value + 2 * PART;
}
