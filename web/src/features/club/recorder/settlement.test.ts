import { describe, expect, test } from "vitest";
import type { PaymentsInfo, PreviewInfo } from "$generated/wire";
import type { Hand } from "$domain/enteredHand";
import {
  initialState,
  countedWins,
  handovers,
  placedSticks,
  settleHand,
  sticksOf,
  TABLE,
  type SettledHand,
} from "./settlement";
import { refusalOf } from "./projection";

interface Game {
  hands: Hand[];
  /** Hands refused by the server, each tried after the first `after` hands. */
  refused: { after: number; hand: Hand; code: string }[];
  settled: PreviewInfo;
}
interface Settled {
  table: PaymentsInfo;
  games: Game[];
}

// Written by web/record.py before the tests; the build works without it
const files = import.meta.glob<Settled[]>("/src/generated/hands.json", { eager: true, import: "default" });
const settled = Object.values(files).flat();
const standard = settled.find(({ table }) => table.rules === "standard")?.table as PaymentsInfo;

/** Settle every hand of a game in the client. */
function settleAll(hands: readonly Hand[], table: PaymentsInfo): SettledHand[] {
  let state = initialState(table);
  return hands.map((hand, at) => {
    const done = settleHand(hand, state, table, hand.stop ?? at === hands.length - 1);
    state = done.next;
    return done;
  });
}

describe("client-side settlement", () => {
  test.each(settled)("agrees with the engine hand by hand: $table.rules", ({ table, games }) => {
    for (const { hands, settled: game } of games) {
      const rows = settleAll(hands, table);
      rows.forEach(({ deltas, scores, next, places }, at) => {
        const { number, honba, deposits } = game.hands[at + 1] ?? game;
        const theirs = game.hands[at];
        const last = at === hands.length - 1;
        const mine = { deltas, scores, number: next.number, honba: next.honba, deposits: next.deposits, places };
        expect([hands, at, mine]).toEqual([
          hands,
          at,
          {
            deltas: theirs?.deltas,
            scores: theirs?.scores,
            number,
            honba,
            deposits,
            places: last ? game.places : null,
          },
        ]);
      });
      expect([hands, rows.at(-1)?.next.scores]).toEqual([hands, game.scores]);
    }
  });

  test("is tested on every ending and kind of payment", () => {
    const games = settled.flatMap(({ games: some }) => some);
    const hands = games.flatMap((game) => game.hands);
    const moreThan30 = (name: string, count: number): [string, boolean] => [name, count > 30];
    expect(hands.length).toBeGreaterThan(5000);
    const counts = [
      moreThan30("over", games.filter((game) => game.settled.over).length),
      moreThan30("not over", games.filter((game) => !game.settled.over).length),
      moreThan30("pao", hands.filter((hand) => hand.wins?.some((win) => win.pao)).length),
      moreThan30("feeder", hands.filter((hand) => hand.wins?.some((win) => win.feeder !== undefined)).length),
      moreThan30("two rons", hands.filter((hand) => hand.wins?.length === 2).length),
      moreThan30("three rons", hands.filter((hand) => hand.wins?.length === 3).length),
      moreThan30("nagashi", hands.filter((hand) => hand.nagashi?.length).length),
      moreThan30("several fouls", hands.filter((hand) => (hand.fouls?.length ?? 0) > 1).length),
      moreThan30("void", hands.filter((hand) => hand.end === "foul").length),
      moreThan30("abort", hands.filter((hand) => hand.end === "abort").length),
      moreThan30("wareme", hands.filter((hand) => hand.wareme !== undefined).length),
      moreThan30("dealer stops", hands.filter((hand) => hand.stop).length),
      moreThan30("dealer continues", hands.filter((hand) => hand.stop === false).length),
    ];
    expect(counts.filter(([, enough]) => !enough)).toEqual([]);
  });
});

describe("the client's checks", () => {
  test.each(settled)("refuse invalid hands for the server's reason: $table.rules", ({ table, games }) => {
    for (const { hands, refused } of games) {
      for (const { after, hand, code } of refused) {
        const rows = hands.slice(0, after).map((earlier) => ({ stop: false, ...earlier }));
        const before = settleAll(rows, table).at(-1);
        const here = refusalOf(
          hand,
          before?.next ?? initialState(table),
          before !== undefined && before.places !== null,
          table,
        );
        expect([hands, after, hand, here?.code]).toEqual([hands, after, hand, code]);
      }
    }
  });

  test.each(settled)("accept every hand the server accepts: $table.rules", ({ table, games }) => {
    for (const { hands } of games) {
      let [state, over] = [initialState(table), false];
      hands.forEach((hand, at) => {
        expect([hand, refusalOf(hand, state, over, table)]).toEqual([hand, null]);
        const done = settleHand(hand, state, table, hand.stop ?? at === hands.length - 1);
        [state, over] = [done.next, done.places !== null];
      });
    }
  });
});

describe("handovers", () => {
  test.each(settled)("add up to the deltas: $table.rules", ({ table, games }) => {
    for (const { hands } of games) {
      for (const [at, { deltas, laid }] of settleAll(hands, table).entries()) {
        const hand = hands[at] as Hand;
        if (deltas.reduce((sum, points) => sum + points, 0) > 0 && !hand.wins?.length && !hand.nagashi?.length)
          continue;
        const moved = deltas.map(() => 0);
        for (const { from, to, points } of handovers(deltas, laid, table.deposit, hand.from ?? 0)) {
          expect(points).toBeGreaterThan(0);
          if (from !== TABLE) moved[from] = (moved[from] ?? 0) - points;
          if (to !== TABLE) moved[to] = (moved[to] ?? 0) + points;
        }
        expect([hand, moved]).toEqual([hand, deltas]);
      }
    }
  });

  test("of a ron with riichi come from the discarder and the table", () => {
    expect(handovers([6200, -5200, 0, 0], [1, 0, 0, 0], 1000, 1)).toEqual([
      { from: 0, to: TABLE, points: 1000 },
      { from: TABLE, to: 0, points: 2000 },
      { from: 1, to: 0, points: 5200 },
    ]);
  });

  test("are broken down into sticks", () => {
    expect(sticksOf(7700, [10_000, 5000, 1000, 100])).toEqual({ 5000: 1, 1000: 2, 100: 7 });
    expect(sticksOf(7700, [1000])).toBeNull();
  });
});

test("a player whose riichi discard is ronned keeps the stick if the rules say so", () => {
  const hand: Hand = { end: "ron", from: 1, riichi: [1, 2], wins: [{ seat: 0, han: 1, fu: 30 }], riichi_tile: true };
  expect(placedSticks(hand, standard)).toEqual([0, 0, 1, 0]);
});

test("triple ron follows the rules", () => {
  const hand: Hand = { end: "ron", from: 1, wins: [{ seat: 0 }, { seat: 3 }, { seat: 2 }] };
  const seats = (multiple_ron: "all" | "nearest_two" | "head_bump", sanchahou: boolean): number[] => {
    const { options } = standard;
    const table = {
      ...standard,
      options: { ...options, win: { ...options.win, multiple_ron }, draw: { ...options.draw, sanchahou } },
    };
    return countedWins(hand, table).map((win) => win.seat);
  };
  expect(seats("all", false)).toEqual([2, 3, 0]);
  expect(seats("nearest_two", false)).toEqual([2, 3]);
  expect(seats("head_bump", false)).toEqual([2]);
  expect(seats("all", true)).toEqual([]);
});
