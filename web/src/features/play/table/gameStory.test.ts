import { sample, type Sample } from "$domain/sample";
import { beforeAll, describe, expect, it } from "vitest";
import type { Replay } from "$generated/wire";
import { addWords } from "$domain/words.svelte";
import { bestOf, courseOf, handsOf, madeOf, titlesOf } from "./gameStory";

const win = (seat: number, points: number, yaku: Record<string, number>): Sample<Replay["events"][number]> => ({
  type: "won",
  seat,
  tile: "1m",
  hand: "",
  score: { points, yaku },
});
const start = (number: number, scores: number[]): Sample<Replay["events"][number]> => ({
  type: "hand_started",
  number,
  honba: 0,
  scores,
  hands: [],
  indicator: "1z",
});
const pon = {
  type: "called",
  seat: 1,
  source: 0,
  meld: { type: "pon", tiles: "777z", called: "7z", from: "left" },
} as const;
const moved = (deltas: number[], scores: number[], reason?: "leftover_deposits"): Sample<Replay["events"][number]> => ({
  type: "points_moved",
  deltas,
  scores,
  reason,
});
const GAME = sample<Pick<Replay, "events" | "hands">>({
  events: [
    { type: "game_started" },
    start(0, [25000, 25000, 25000, 25000]),
    win(1, 2000, { riichi: 1, dora: 1 }),
    moved([-2000, 2000, 0, 0], [23000, 27000, 25000, 25000]),
    start(1, [23000, 27000, 25000, 25000]),
    { type: "hand_drawn", kind: "exhausted" },
    moved([1500, 1500, -1500, -1500], [24500, 28500, 23500, 23500]),
    start(2, [24500, 28500, 23500, 23500]),
    pon,
    win(1, 8000, { riichi: 1, pinfu: 1 }),
    win(3, 8000, { tanyao: 1 }),
    moved([-8000, 8000, 0, 0], [16500, 36500, 23500, 23500]),
    moved([-8000, 0, 0, 8000], [8500, 36500, 23500, 31500]),
    moved([0, 1000, 0, 0], [8500, 37500, 23500, 31500], "leftover_deposits"),
  ],
  hands: [
    { event: 1, number: 0, honba: 0 },
    { event: 4, number: 1, honba: 0 },
    { event: 7, number: 2, honba: 0 },
  ],
});

describe("the story of a game", () => {
  beforeAll(() => addWords({ "yaku.riichi": "Riichi", "yaku.pinfu": "Pinfu", "yaku.tanyao": "Tanyao" }));
  const hands = handsOf(GAME);

  it("tells each hand with its end, its changes and the points after it", () => {
    expect(hands.map((hand) => [hand.event, hand.wins.length, hand.draw])).toEqual([
      [2, 1, null],
      [5, 0, "exhausted"],
      [8, 2, null],
    ]);
    expect(hands[2]?.deltas).toEqual([-16000, 8000, 0, 8000]);
    expect(hands[2]?.scores).toEqual([8500, 36500, 23500, 31500]);
  });

  it("draws the points from the start to the end, with the sticks that were left over", () => {
    expect(courseOf(GAME, hands).map((scores) => scores[1])).toEqual([25000, 27000, 28500, 37500]);
  });

  it("finds the best win, the first of equal ones", () => {
    expect(bestOf(hands)?.win).toMatchObject({ seat: 1, score: { points: 8000 }, melds: [{ type: "pon" }] });
    expect(hands[0]?.wins[0]?.melds).toEqual([]);
    expect(bestOf([])).toBeNull();
  });

  it("gives titles to those who alone deserve them", () => {
    expect(titlesOf(hands, [4, 1, 3, 2])).toEqual({ heaviest: 1, busiest: 1 }); // three dealt in to nobody
    expect(titlesOf(hands, [1, 2, 3, 4])).toEqual({ heaviest: 1, busiest: 1, comeback: 0 }); // last after the first hand
    expect(titlesOf([], [1, 2, 3, 4])).toEqual({});
  });

  it("counts yaku by player and leaves dora out", () => {
    expect(madeOf(hands, 4)).toEqual([
      { yaku: "riichi", bySeat: [0, 2, 0, 0], count: 2 },
      { yaku: "pinfu", bySeat: [0, 1, 0, 0], count: 1 },
      { yaku: "tanyao", bySeat: [0, 0, 0, 1], count: 1 },
    ]);
  });
});
