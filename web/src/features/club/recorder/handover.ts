// Who hands what to whom: the payments behind the changes of the points.
import { from as inTurn } from "$domain/seats";

export const TABLE = -1; // where riichi sticks lie

export interface Handover {
  from: number;
  to: number;
  points: number;
}

/** A stick of each value as often as it goes, the largest first; null if they do not make up the points. */
export function sticksOf(points: number, values: Iterable<number>): Record<string, number> | null {
  const totals: Record<string, number> = {};
  let rest = points;
  for (const value of [...values].sort((a, b) => b - a)) {
    const count = Math.floor(rest / value);
    if (count > 0) totals[String(value)] = count;
    rest -= count * value;
  }
  return rest === 0 ? totals : null;
}

/**
 * The payments of a hand.
 *
 * `laid` are the sticks of `deposit` points that each seat laid. Whoever gains takes the sticks on the table in turn order
 * from `first`, then what the others pay.
 */
export function handovers(
  deltas: readonly number[],
  laid: readonly number[],
  deposit: number,
  first: number,
): Handover[] {
  const order = inTurn(first, deltas.length);
  const open = deltas.map((points, seat) => points + (laid[seat] ?? 0) * deposit);
  const moved: Handover[] = laid
    .map((sticks, seat) => ({ from: seat, to: TABLE, points: sticks * deposit }))
    .filter(({ points }) => points > 0);
  let pot = Math.max(
    0,
    open.reduce((sum, points) => sum + points, 0),
  );
  const givers = order.filter((seat) => (open[seat] ?? 0) < 0);
  for (const to of order.filter((seat) => (open[seat] ?? 0) > 0)) {
    let due = open[to] ?? 0;
    const taken = Math.min(pot, due);
    if (taken > 0) moved.push({ from: TABLE, to, points: taken });
    pot -= taken;
    due -= taken;
    for (const from of givers) {
      const points = Math.min(due, -(open[from] ?? 0));
      if (points <= 0) continue;
      moved.push({ from, to, points });
      open[from] = (open[from] ?? 0) + points;
      due -= points;
    }
  }
  return moved;
}
