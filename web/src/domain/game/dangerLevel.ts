// How dangerous a discard is, from what it costs on average.

/** 0 (not worth showing) to 3, for a cost in points. */
export function riskOf(points: number | null): 0 | 1 | 2 | 3 {
  if (points === null || points < 300) return 0;
  if (points < 700) return 1;
  return points < 1500 ? 2 : 3;
}
