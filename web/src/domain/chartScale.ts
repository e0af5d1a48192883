// The scale of a chart: round values between which all others lie.

export interface Scale {
  low: number;
  high: number;
  /** The values of its lines, from the lowest. */
  ticks: number[];
}

const STEPS = [1, 2, 5, 10];
const MOST_TICKS = 5;

/** The smallest round step that gives few lines between two values. */
export function stepOf(low: number, high: number): number {
  const least = Math.max((high - low) / MOST_TICKS, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least) ?? 10) * power;
}

export function scaleOf(values: readonly number[]): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = stepOf(least, most);
  const low = Math.floor(least / step) * step;
  const high = Math.max(Math.ceil(most / step) * step, low + step);
  const count = Math.round((high - low) / step) + 1;
  return { low, high, ticks: Array.from({ length: count }, (_, i) => low + i * step) };
}
