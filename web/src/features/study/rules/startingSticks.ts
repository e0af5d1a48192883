// Point sticks that add up to the starting points.
export type Sticks = Readonly<Record<string, number>>;

const USUAL = [10_000, 5_000, 1_000, 500, 100, 10, 1];

export function totalOf(sticks: Sticks): number {
  return Object.entries(sticks).reduce((sum, [value, count]) => sum + Number(value) * count, 0);
}

/** The sticks nearest to `base` that add up to `points`: large sticks are added and removed first, small ones stay. */
export function sticksFor(points: number, base: Sticks): Sticks {
  const counts = new Map(Object.entries(base).map(([value, count]) => [Number(value), Number(count)]));
  let gap = points - totalOf(base);
  const move = (value: number, count: number): void => {
    counts.set(value, (counts.get(value) ?? 0) + count);
    gap -= value * count;
  };
  const own = [...counts.keys()].sort((a, b) => b - a);
  for (const value of own) if (gap < 0) move(value, -Math.min(counts.get(value) ?? 0, Math.floor(-gap / value)));
  const least = own.findLast((value) => (counts.get(value) ?? 0) > 0);
  if (gap < 0 && least) move(least, -1); // too large for the missing sum: broken into smaller ones
  for (const value of [...own, ...USUAL]) if (gap >= value) move(value, Math.floor(gap / value));
  return Object.fromEntries(
    [...counts].filter(([, count]) => count > 0).map(([value, count]) => [String(value), count]),
  );
}
