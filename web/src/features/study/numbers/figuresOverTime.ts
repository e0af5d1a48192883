// A person's figures as lines over time.
import type { GameLine } from "$generated/wire";

export const LATEST = 20; // games of which the average at each time is

/** The average place of the latest games at the time of each game. */
export function averages(games: readonly Pick<GameLine, "place">[], latest = LATEST): number[] {
  return games.map((_, at) => {
    const counted = games.slice(Math.max(0, at + 1 - latest), at + 1);
    return counted.reduce((sum, game) => sum + game.place, 0) / counted.length;
  });
}

export const CERTAIN = 1.96; // standard deviations on either side for 95 %
