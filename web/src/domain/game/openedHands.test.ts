import { sample } from "$domain/sample";
import { expect, it } from "vitest";
import { openedHands } from "./openedHands";
import type { Outcome } from "./tableState";

const NONE: Outcome = { wins: [], draw: null, deltas: [], scores: [], given: null, chips: null };

it("opens the winner's hand with the winning tile apart", () => {
  const win = sample<Outcome["wins"][number]>({ type: "won", seat: 2, hand: "55p123m", tile: "5p", score: {} });
  expect(openedHands({ ...NONE, wins: [win] })).toEqual([
    { seat: 2, tiles: ["1m", "2m", "3m", "5p", "5p"], winning: "5p", waits: [] },
  ]);
});

it("opens the tenpai hands of a draw with their waits, and no others", () => {
  const draw = {
    type: "hand_drawn",
    kind: "exhausted",
    hands: [null, "23s", null, null],
    waits: [null, "14s", null, null],
  } as Outcome["draw"];
  expect(openedHands({ ...NONE, draw })).toEqual([
    { seat: 1, tiles: ["2s", "3s"], winning: null, waits: ["1s", "4s"] },
  ]);
});
