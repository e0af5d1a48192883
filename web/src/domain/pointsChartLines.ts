// A line chart of points over time: where its line, its axis and its labels are.

export interface Chart {
  /** The `d` of the line, from zero before the first game. */
  line: string;
  /** The `d` of the area between the line and zero. */
  area: string;
  dots: readonly { x: number; y: number }[];
  /** Horizontal lines: their height and the points that they stand for. */
  ticks: readonly { y: number; points: number }[];
  zero: number;
}

interface Room {
  width: number;
  height: number;
  /** Room for labels at the left and around the line. */
  left: number;
  edge: number;
}

const STEPS = [1, 2, 5, 10];
const MOST_TICKS = 5;

/** The smallest round step that gives few lines between two values. */
export function stepOf(low: number, high: number): number {
  const least = Math.max((high - low) / MOST_TICKS, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least) ?? 10) * power;
}

/** The chart of the sums after each game. */
export function chartOf(sums: readonly number[], { width, height, left, edge }: Room): Chart {
  const values = [0, ...sums];
  const step = stepOf(Math.min(...values), Math.max(...values));
  const low = Math.floor(Math.min(...values) / step) * step;
  const high = Math.max(Math.ceil(Math.max(...values) / step) * step, low + step);
  const at = (points: number): number => round(edge + ((high - points) / (high - low)) * (height - 2 * edge));
  const dots = values.map((points, i) => ({
    x: round(left + (i / Math.max(values.length - 1, 1)) * (width - left - edge)),
    y: at(points),
  }));
  const line = `M${dots.map(({ x, y }) => `${x} ${y}`).join("L")}`;
  const count = Math.round((high - low) / step) + 1;
  const ticks = Array.from({ length: count }, (_, i) => ({ y: at(low + i * step), points: low + i * step }));
  const zero = at(0);
  return { line, area: `${line}V${zero}H${left}Z`, dots, ticks, zero };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
