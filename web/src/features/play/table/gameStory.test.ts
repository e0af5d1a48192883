import { sample, type Sample } from "$domain/sample";
import { describe, expect, it } from "vitest";
import type { Replay } from "$generated/wire";
import { courseOf, handsOf } from "./gameStory";

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
  const hands = handsOf(GAME);

  it("lists each hand with its ending, payments and scores", () => {
    expect(hands.map((hand) => [hand.event, hand.wins.length, hand.draw])).toEqual([
      [2, 1, null],
      [5, 0, "exhausted"],
      [8, 2, null],
    ]);
    expect(hands[2]?.deltas).toEqual([-16000, 8000, 0, 8000]);
    expect(hands[2]?.scores).toEqual([8500, 36500, 23500, 31500]);
  });

  it("follows the points from start to end, including leftover deposits", () => {
    expect(courseOf(GAME, hands).map((scores) => scores[1])).toEqual([25000, 27000, 28500, 37500]);
  });
});
