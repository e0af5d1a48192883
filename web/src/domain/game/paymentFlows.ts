// Who pays whom at the end of a hand, as sticks that move.

import type { Outcome } from "./tableState";

export interface Flow {
  from: number;
  to: number;
  points: number;
}

/** What every seat had before the hand was paid. */
export function scoresBefore({ scores, deltas }: Pick<Outcome, "scores" | "deltas">): number[] {
  return scores.map((score, seat) => score - (deltas[seat] ?? 0));
}

export const STICKS = [10000, 5000, 1000, 100] as const;
const MOST = 8; // sticks drawn for one payment

/** The payments between seats behind the changes of their points; points from the table are left out. */
export function flowsOf(deltas: readonly number[]): Flow[] {
  const left = deltas.map((points) => Math.max(0, points));
  return deltas.flatMap((points, from) => {
    let owed = Math.max(0, -points);
    return left.flatMap((wanted, to) => {
      const paid = Math.min(owed, wanted);
      owed -= paid;
      left[to] = wanted - paid;
      return paid > 0 ? [{ from, to, points: paid }] : [];
    });
  });
}

/** The sticks of a payment, the largest first; a long tail of small ones is cut. */
export function sticksOf(points: number): number[] {
  const sticks: number[] = [];
  let left = points;
  for (const value of STICKS) {
    for (; left >= value && sticks.length < MOST; left -= value) sticks.push(value);
  }
  return sticks;
}
