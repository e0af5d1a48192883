// The scale of a chart: round tick values that cover the data.

const STEPS = [1, 2, 5, 10];
const MAX_STEPS = 5;

/** The smallest round step with at most `MAX_STEPS` steps between two values. */
export function stepOf(low: number, high: number): number {
  const minStep = Math.max((high - low) / MAX_STEPS, 1);
  const power = 10 ** Math.floor(Math.log10(minStep));
  return (STEPS.find((step) => step * power >= minStep) ?? 10) * power;
}

export function ticksOf(values: readonly number[]): number[] {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const step = stepOf(min, max);
  const low = Math.floor(min / step);
  return Array.from({ length: Math.max(Math.ceil(max / step) - low, 1) + 1 }, (_, i) => (low + i) * step);
}
