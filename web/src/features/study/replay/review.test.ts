import { sample } from "$domain/sample";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadWords, setLanguage } from "$domain/words.svelte";
import type { GameReview, Safety, View } from "$generated/wire";
import { calculatorOf } from "./replay";
import {
  costliest,
  type Decision,
  isSameChoice,
  judged,
  stepAfter,
  stepBefore,
  turningPoints,
  walkOf,
  byOpponent,
  safetyLabel,
  Walk,
} from "./review.svelte";

function decision(step: number, verdict: Decision["verdict"], loss = 0): Decision {
  return sample<Decision>({ step, verdict, compared: sample<NonNullable<Decision["compared"]>>({ loss }) });
}

function review(progress: number, ...decisions: Decision[]): GameReview {
  return sample<GameReview>({ review: { decisions, progress }, why: {}, deeper: progress < 1 });
}

const steps = (decisions: readonly Decision[]): number[] => decisions.map(({ step }) => step);
const GAME = [
  decision(1, "mistake", 400),
  decision(2, "unclear", 900),
  decision(3, "mistake", 700),
  decision(4, "mistake", 300),
  decision(5, "sound"),
  decision(6, "mistake", 350),
  decision(7, "mistake", 900),
];

it("walks through the three costliest mistakes, then through the others in the order of the game", () => {
  expect(steps(walkOf(GAME))).toEqual([7, 3, 1, 4, 6]);
  expect(steps(costliest(GAME))).toEqual([7, 3, 1]);
});

it("goes on to moments that were not visited, and back along those that were", () => {
  expect(stepAfter(7, [7], [7, 3, 1])).toBe(3);
  expect(stepAfter(7, [7, 3], [3, 7, 1])).toBe(3);
  expect(stepAfter(3, [7, 3], [3, 9, 7])).toBe(9);
  expect(stepAfter(3, [7, 3], [3, 7])).toBeNull();
  expect(stepBefore(3, [7, 3])).toBe(7);
  expect(stepBefore(7, [7, 3])).toBeNull();
});

it("takes a drawn tile for the same as one in the hand, and a call for the same with any red tile", () => {
  expect(isSameChoice({ type: "discard", tile: "5p", drawn: true }, { type: "discard", tile: "5p" })).toBe(true);
  expect(isSameChoice({ type: "discard", tile: "5p" }, { type: "discard", tile: "0p" })).toBe(false);
  expect(isSameChoice({ type: "discard", tile: "5p" }, { type: "discard", tile: "5p", riichi: "riichi" })).toBe(false);
  expect(isSameChoice({ type: "chi", tiles: "46p" }, { type: "chi", tiles: "40p" })).toBe(false);
  expect(isSameChoice({ type: "chi", tiles: "450p" }, { type: "chi", tiles: "405p" })).toBe(true);
  expect(isSameChoice({ type: "pon", red: 1 }, { type: "pon", red: 0 })).toBe(true);
  expect(isSameChoice({ type: "pass" }, { type: "pon" })).toBe(false);
});

it("relates an answer to the played and the better choice", () => {
  const moment = sample<Decision>({ played: { type: "discard", tile: "1m" }, best: { type: "discard", tile: "9p" } });
  const tiles = ["9p", "1m", "3s"].map((tile) => judged({ type: "discard", tile, drawn: true }, moment));
  expect(tiles).toEqual(["best", "played", "other"]);
});

it("gives the expected place before and after a turning point", () => {
  const first = [0.5, 0.56, 0.2, 0.3];
  const lines = [first, first.map((share) => 1 - share)];
  expect(turningPoints([1], lines)).toEqual([{ hand: 1, before: expect.closeTo(1.44) as number, after: 1.8 }]);
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("keeps the reader's place and answers while deeper results arrive", async () => {
  const answers = [
    review(0.2, decision(1, "mistake", 400), decision(3, "mistake", 700)),
    review(1, decision(1, "mistake", 800), decision(3, "sound"), decision(5, "mistake", 900)),
  ];
  const walk = new Walk(() => Promise.resolve(answers.shift() ?? review(1)));
  const stop = walk.follow(0, "strong");
  await vi.advanceTimersByTimeAsync(0);
  walk.begin();
  walk.answers.set(3, { type: "discard", tile: "1m" });
  walk.seen.add(3);
  expect([walk.at, walk.after, walk.place, walk.count]).toEqual([3, 1, 1, 2]);
  await vi.advanceTimersByTimeAsync(3000);
  expect([walk.at, walk.after, walk.place, walk.count, walk.checking]).toEqual([3, 5, 1, 3, false]);
  expect(walk.answers.get(3)).toEqual({ type: "discard", tile: "1m" });
  expect(walk.decision?.verdict).toBe("sound");
  stop();
});

it("stops asking a server that makes no progress", async () => {
  const request = vi.fn(() => Promise.resolve(review(0, decision(1, "unclear"))));
  const walk = new Walk(request);
  walk.follow(0, "strong");
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(walk.checking).toBe(false);
  expect(request.mock.calls.length).toBeLessThan(45);
  expect(walk.review).not.toBeNull();
});

it("opens the calculator with the hand of the seat, its winds and the rules", () => {
  const view = sample<View>({
    seat: 2,
    round: "south",
    number: 5,
    dealer: 1,
    honba: 1,
    deposits: 2,
    kita: [0, 0, 3, 0],
    scores: [1, 2, 3, 4],
    indicators: ["1z"],
    hand: "123m",
    drawn: "4m",
    melds: [[], [], [{ type: "pon", tiles: "555z", called: "5z", from: "left" }], []],
    riichi: [null, null, null, null],
  });
  const url = new URL(calculatorOf(view, 2, "tenhou"), "http://x");
  expect(url.pathname).toBe("/calc");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    hand: "1234m (555z)",
    dora: "1z",
    by: "tsumo",
    round: "south",
    honba: "1",
    deposits: "2",
    rules: "tenhou",
  });
  expect(url.searchParams.get("seat")).toBeNull(); // south is the default
});

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await loadWords("study");
  await setLanguage("en");
});
afterAll(() => vi.unstubAllGlobals());

function row(tile: string, opponent: number, more: Partial<Safety> = {}): Safety {
  return { tile, opponent, code: "live", tiles: "", unseen: 3, waits: [], ways: 0, dora: false, ...more };
}

const ROWS = [
  row("9m", 2, { code: "genbutsu" }),
  row("1z", 2, { code: "genbutsu" }),
  row("1s", 2, { code: "suji", tiles: "4s" }),
  row("5p", 2, { dora: true }),
  row("5p", 3),
];

it("groups the tiles of a hand by opponent and reason, safest first", () => {
  const against = byOpponent(ROWS, ["0p", "1s"]);
  expect(against.map(({ opponent }) => opponent)).toEqual([2, 3]);
  expect(against.map(({ asked }) => asked.map(({ tiles }) => tiles))).toEqual([[["1s"], ["5p"]], [["5p"]]]);
  expect(against[0]?.all.map(({ tiles }) => tiles)).toEqual([["9m", "1z"], ["1s"], ["5p"]]);
});

it("says where the safety comes from, and that a tile is a dora", () => {
  expect(safetyLabel(row("1s", 2, { code: "suji", tiles: "4s" }))).toContain("⟦4s⟧");
  expect(safetyLabel(row("5p", 2, { dora: true }))).not.toBe(safetyLabel(row("5p", 2)));
  expect(safetyLabel(row("2z", 2, { code: "unseen", unseen: 1 }))).toContain("1");
});
