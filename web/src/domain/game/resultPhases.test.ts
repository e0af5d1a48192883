import { describe, expect, it } from "vitest";
import type { HandDrawn, Won } from "$generated/wire";
import { sample } from "$domain/sample";
import {
  phaseAt,
  RANKS,
  rankOf,
  sizeOf,
  skipped,
  stepsOf,
  timesOf,
  openedHands,
  flowsOf,
  sticksOf,
} from "./resultPhases";
import type { Outcome } from "./tableState";

function won(yaku: Record<string, number>, limit: string | null = null, more: Partial<Won> = {}): Won {
  return sample<Won>({ seat: 0, hand: "123m", tile: "1m", score: { yaku, limit, yakuman: 0 }, ...more });
}

function outcome(wins: Won[], draw: Partial<HandDrawn> | null = null): Outcome {
  return sample<Outcome>({ wins, draw });
}

const many = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`yaku${i}`, 1]));

describe("a win", () => {
  it("is ranked by its limit", () => {
    for (const rank of RANKS) expect(rankOf({ limit: rank === "plain" ? null : rank, yakuman: 0 })).toBe(rank);
    expect(rankOf({ limit: null, yakuman: 2 })).toBe("yakuman");
  });

  it("gets room by its rank, and several wins by the best one", () => {
    const sizes = RANKS.map((rank) => sizeOf([won({}, rank === "plain" ? null : rank)]));
    expect(sizes).toEqual(["small", "large", "large", "large", "large", "whole"]);
    expect([sizeOf([]), sizeOf([won({}), won({}, "baiman")])]).toEqual(["small", "large"]);
  });

  it("is presented in about a second if it is below mangan", () => {
    const plain = outcome([won({ riichi: 1, tanyao: 1, ura_dora: 1 }, null, { ura: "12m" })]);
    expect(stepsOf(plain, "full").at(-1)?.at).toBeLessThanOrEqual(1200);
    expect(stepsOf(outcome([won({ riichi: 1 })]), "full").at(-1)?.at).toBeLessThanOrEqual(1000);
  });

  it("lists yaku, turns the ura indicators, then lists ura dora, fu and the value", () => {
    const { yaku, ura, fu, value, end } = timesOf(
      won({ ura_dora: 2, riichi: 1, dora: 1 }, "mangan", { ura: "12m" }),
      "full",
    );
    expect(yaku.map(({ id }) => id)).toEqual(["riichi", "dora", "ura_dora"]);
    const times = [yaku[0]?.at, yaku[1]?.at, ...ura, yaku[2]?.at, fu, value, end].map(Number);
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
  });

  it("takes longer the higher its rank, but never longer than the pause between hands", () => {
    const ends = RANKS.map((rank) => timesOf(won({ riichi: 1 }, rank), "full").end);
    expect(ends).toEqual([...ends].sort((one, other) => one - other));
    expect(timesOf(won({ ...many, ura_dora: 4 }, "yakuman", { ura: "12345m" }), "full").end).toBeLessThan(10_000);
    expect(timesOf(won(many, "yakuman"), "brief").end).toBeLessThan(3000);
  });
});

describe("the phases of a result", () => {
  const two = outcome([won({ riichi: 1 }), won({ riichi: 1 }, "mangan")]);

  it("call and present each win, then show the payments", () => {
    expect(stepsOf(two, "full").map(({ name, win }) => `${name} ${win}`)).toEqual([
      "look 0",
      "present 0",
      "look 1",
      "present 1",
      "paid 1",
    ]);
    expect(stepsOf(two, "brief").map(({ name }) => name)).toEqual(["look", "present", "present", "paid"]);
  });

  it("show the table first if a draw opens hands or is announced", () => {
    const names = (draw: Partial<HandDrawn>, presentation: "full" | "brief"): string[] =>
      stepsOf(outcome([], draw), presentation).map(({ name }) => name);
    expect(names({ kind: "exhausted", hands: ["123m", null] }, "brief")).toEqual(["look", "present", "paid"]);
    expect(names({ kind: "suufuu_renda" }, "full")).toEqual(["look", "present", "paid"]);
    expect(names({ kind: "suufuu_renda" }, "brief")).toEqual(["present", "paid"]);
  });

  it("follow the elapsed time and each press", () => {
    const steps = stepsOf(two, "full");
    const second = steps[2]?.at ?? 0;
    expect(phaseAt(steps, second - 1)).toEqual({ name: "present", win: 0 });
    expect(phaseAt(steps, second)).toEqual({ name: "look", win: 1 });
    expect(phaseAt(steps, skipped(steps, 10))).toEqual({ name: "present", win: 0 });
    expect(phaseAt(steps, skipped(steps, second))).toEqual({ name: "present", win: 1 });
    expect(skipped(steps, 60_000)).toBe(60_000);
  });

  it("are only the last one if everything appears at once", () => {
    expect(phaseAt(stepsOf(two, "none"), 0)).toEqual({ name: "paid", win: 1 });
    expect(phaseAt(stepsOf(outcome([], { kind: "exhausted" }), "none"), 0).name).toBe("paid");
  });
});

const NONE: Outcome = { wins: [], draw: null, deltas: [], scores: [], given: null, chips: null };

it("opens the winner's hand with the winning tile separate", () => {
  const win = sample<Outcome["wins"][number]>({ type: "won", seat: 2, hand: "55p123m", tile: "5p", score: {} });
  expect(openedHands({ ...NONE, wins: [win] })).toEqual([
    { seat: 2, tiles: ["1m", "2m", "3m", "5p", "5p"], winning: "5p", waits: [] },
  ]);
});

it("opens only the tenpai hands of a draw, with their waits", () => {
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

it("lets the discarder pay the winner and leaves out deposits", () => {
  expect(flowsOf([0, -2900, 5900, 0])).toEqual([{ from: 1, to: 2, points: 2900 }]);
});

it("splits the payments of a tsumo and a draw", () => {
  expect(flowsOf([12000, -4000, -4000, -4000]).map((flow) => [flow.from, flow.to, flow.points])).toEqual([
    [1, 0, 4000],
    [2, 0, 4000],
    [3, 0, 4000],
  ]);
  expect(flowsOf([1500, 1500, -1500, -1500])).toEqual([
    { from: 2, to: 0, points: 1500 },
    { from: 3, to: 1, points: 1500 },
  ]);
});

it("pays two winners from one discarder", () => {
  expect(flowsOf([1000, -9000, 8000])).toEqual([
    { from: 1, to: 0, points: 1000 },
    { from: 1, to: 2, points: 8000 },
  ]);
});

it("pays with the largest sticks first and draws a bounded number", () => {
  expect(sticksOf(7700)).toEqual([5000, 1000, 1000, 100, 100, 100, 100, 100]);
  expect(sticksOf(48000)).toHaveLength(8);
  expect(sticksOf(0)).toEqual([]);
});
