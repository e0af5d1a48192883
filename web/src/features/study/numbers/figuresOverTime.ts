// A person's figures as lines over time.
import type { GameLine, RatingPoint } from "$generated/wire";

export const LATEST = 20; // games of which the average at each time is

/** The average place of the latest games at the time of each game. */
export function averages(games: readonly Pick<GameLine, "place">[], latest = LATEST): number[] {
  return games.map((_, at) => {
    const counted = games.slice(Math.max(0, at + 1 - latest), at + 1);
    return counted.reduce((sum, game) => sum + game.place, 0) / counted.length;
  });
}

export const CERTAIN = 1.96; // standard deviations on either side for 95 %
const STEP = 10;

/** The values between which a course of ratings lies with its uncertainty, and those to mark. */
export function bandOf(steps: readonly Pick<RatingPoint, "mu" | "sigma">[]): {
  low: number;
  high: number;
  ticks: number[];
} {
  const low = Math.floor(Math.min(...steps.map(({ mu, sigma }) => mu - CERTAIN * sigma)) / STEP) * STEP;
  const high = Math.ceil(Math.max(...steps.map(({ mu, sigma }) => mu + CERTAIN * sigma)) / STEP) * STEP;
  return { low, high, ticks: Array.from({ length: (high - low) / STEP + 1 }, (_, i) => low + i * STEP) };
}
