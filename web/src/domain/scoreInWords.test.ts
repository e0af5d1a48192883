import { beforeAll, describe, expect, test, vi } from "vitest";
import type { GameEvent } from "./game/reducer";
import { takings, type Score } from "./scoreInWords";
import { windOf, WINDS } from "./seats";

beforeAll(() => vi.stubGlobal("localStorage", { getItem: () => null }));

// Written by web/record.py before the tests; the build does not need it
const files = import.meta.glob<{ honba: number; steps: { events: GameEvent[] }[] }[]>("/src/generated/stream.json", {
  eager: true,
  import: "default",
});
const games = Object.values(files).flat();

function score(points: number, payments: number[]): Score {
  const paid = Object.fromEntries(payments.map((points, i) => [WINDS[i] ?? "", points]));
  return { han: 3, fu: 30, yakuman: 0, limit: null, points, yaku: {}, fu_items: {}, payments: paid, counted_as: null };
}

describe("the winner's takings", () => {
  test.each([
    ["a ron with two honba and a stick", score(3900, [0, 5500, -4500, 0]), 1, false, [3900, 600, 1000, 5500], null],
    [
      "a dealer's tsumo",
      score(7800, [11400, -2800, -2800, -2800]),
      0,
      true,
      [7800, 600, 3000, 11400],
      { others: 2600, dealer: 2600 },
    ],
    [
      "a non-dealer's tsumo",
      score(2700, [-1400, 3000, -800, -800]),
      1,
      true,
      [2700, 300, 0, 3000],
      { others: 700, dealer: 1300 },
    ],
    [
      "a tsumo with three players",
      score(2000, [-1200, 2400, -1200]),
      1,
      true,
      [2000, 400, 0, 2400],
      { others: 1000, dealer: 1000 },
    ],
    ["a tsumo with one liable player", score(32000, [0, 32300, -32300, 0]), 1, true, [32000, 300, 0, 32300], null],
  ])("%s", (_, won, winner, tsumo, [hand, honba, sticks, total], split) => {
    expect(takings(won, winner, tsumo)).toEqual({ hand, honba, sticks, total, split });
  });

  test("add up in every recorded game", () => {
    let wins = 0;
    for (const { honba, steps } of games) {
      const events = steps.flatMap((step) => step.events);
      let started: Extract<GameEvent, { type: "hand_started" }> | null = null;
      let laid = 0;
      for (const [i, event] of events.entries()) {
        if (event.type === "hand_started") [started, laid] = [event, 0];
        if (event.type === "riichi_accepted") laid += 1;
        const moved = events[i + 1];
        if (event.type !== "won" || !started || moved?.type !== "points_moved") continue;
        const gained = takings(
          event.score,
          windOf(event.seat, started.dealer, started.scores.length),
          event.source == null,
        );
        if (events[i - 1]?.type === "won") continue; // of several rons only the first winner gets the deposits
        expect(gained.hand + gained.honba + gained.sticks).toBe(gained.total);
        expect(gained.total).toBe(moved.deltas[event.seat]);
        const payers = event.source == null ? started.scores.length - 1 : 1; // each rounds its share up
        expect(gained.honba).toBe(payers * 100 * Math.ceil((honba * started.honba) / 100 / payers));
        expect(gained.sticks).toBe(1000 * (started.deposits + laid));
        wins += 1;
      }
    }
    expect(wins).toBeGreaterThan(0);
  });
});
