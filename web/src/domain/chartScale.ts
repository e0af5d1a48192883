// The scale of a chart: round values between which all others lie.

const STEPS = [1, 2, 5, 10];
const MOST_TICKS = 5;

/** The smallest round step that gives few lines between two values. */
export function stepOf(low: number, high: number): number {
  const least = Math.max((high - low) / MOST_TICKS, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least) ?? 10) * power;
}

export function ticksOf(values: readonly number[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = stepOf(least, most);
  const low = Math.floor(least / step);
  return Array.from({ length: Math.max(Math.ceil(most / step) - low, 1) + 1 }, (_, i) => (low + i) * step);
}
