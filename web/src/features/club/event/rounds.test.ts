import { describe, expect, test } from "vitest";
import type { EventRounds, RoundInfo } from "$generated/wire";
import {
  clockText,
  deskClockText,
  hasTimer,
  leftMs,
  ownFirst,
  currentRound,
  seatIn,
  visibleRounds,
  soundBetween,
  stagesInOrder,
  stateOf,
} from "./rounds";

function round(number: number, state: RoundInfo["state"]): RoundInfo {
  const timer = { minutes: 75, running: false, started: false, extra_s: 0, left_s: 4500, ends: null };
  const tables = [{ number: 1, players: ["a", "b", "c", "d"], game: null, status: null, extra_s: 0 }];
  return { number, state, made_by: "plan", seed: 1, tables, byes: ["e"], timer, published: null };
}

function all(...rounds: RoundInfo[]): EventRounds {
  const settings = { minutes: 75 };
  return {
    revision: 1,
    now: "",
    stages: [{ revision: 1, stage: "final", settings, rounds, absences: [], quality: null, work: null }],
  };
}

describe("the current round", () => {
  test.each([
    ["the running one", ["done", "running", "published"], 2],
    ["otherwise the next one", ["done", "published", "published"], 2],
    ["otherwise the last one", ["done", "done"], 2],
    ["never a draft", ["done", "drafted"], 1],
  ] as const)("is %s", (_, states, wanted) => {
    expect(currentRound(all(...states.map((state, i) => round(i + 1, state))))?.round.number).toBe(wanted);
  });

  test("is null without published rounds", () => {
    expect(currentRound(null)).toBe(null);
    expect(currentRound(all(round(1, "drafted")))).toBe(null);
    expect(visibleRounds(all(round(1, "drafted"), round(2, "done")).stages[0]!).length).toBe(1);
  });
});

describe("the page of all rounds", () => {
  const plan = (stage: string, ...rounds: RoundInfo[]) => ({ ...all(...rounds).stages[0]!, stage });
  const named = (stages: ReturnType<typeof stagesInOrder>) =>
    stages.map(({ stage, open, done }) => [
      stage.stage,
      open.map((round) => `${round.number} ${stateOf(round, stages)}`),
      done.map(({ number }) => number),
    ]);

  test("lists the running round first, then upcoming ones by number, and finished ones separately", () => {
    const states = ["done", "done", "running", "published", "published", "drafted"] as const;
    const rounds = all(...states.map((state, i) => round(i + 1, state)));
    expect(named(stagesInOrder(rounds, null))).toEqual([["final", ["3 running", "4 published", "5 later"], [2, 1]]]);
  });

  test("lists the user's stage first and marks only one round of the event as next", () => {
    const others = round(1, "running");
    others.tables[0]!.players = ["w", "x", "y", "z"];
    others.byes = [];
    const rounds = {
      ...all(),
      stages: [
        plan("league", round(1, "done")),
        plan("pool", others),
        plan("own", round(1, "running"), round(2, "published")),
        plan("final", round(1, "published")),
      ],
    };
    expect(named(stagesInOrder(rounds, "c"))).toEqual([
      ["own", ["1 running", "2 published"], []],
      ["pool", ["1 running"], []],
      ["final", ["1 later"], []],
      ["league", [], [1]],
    ]);
    expect(currentRound(rounds, "c")?.stage.stage).toBe("own");
    expect(currentRound(rounds)?.stage.stage).toBe("pool");
  });

  test("lists the user's table first", () => {
    const running = round(1, "running");
    running.tables = [5, 6, 7].map((number) => ({
      number,
      players: number === 6 ? ["a", "me", "c", "d"] : ["v", "x", "y", "z"],
      game: null,
      status: null,
      extra_s: 0,
    }));
    expect(ownFirst(running, "me").map(({ number }) => number)).toEqual([6, 5, 7]);
    expect(ownFirst(running, null).map(({ number }) => number)).toEqual([5, 6, 7]);
  });
});

test("finds a player's seat", () => {
  expect(seatIn(round(1, "published"), "c")).toMatchObject({ seat: 2, table: { number: 1 } });
  expect(seatIn(round(1, "published"), "e")).toBe("bye");
  expect(seatIn(round(1, "published"), "z")).toBe(null);
  expect(seatIn(round(1, "published"), null)).toBe(null);
});

describe("the timer", () => {
  const timer = { minutes: 75, running: true, started: false, extra_s: 0, left_s: 600, ends: null };

  test("counts down from the time of receipt, including a table's extra time", () => {
    expect([leftMs(timer, 0), leftMs(timer, 1500), leftMs(timer, 1500, 60), leftMs(timer, 700_000)]).toEqual([
      600_000, 598_500, 658_500, -100_000,
    ]);
    expect(leftMs({ ...timer, running: false }, 99_000)).toBe(600_000);
  });

  test("signals once at five minutes left and once at the end", () => {
    const sounds = [360_000, 300_250, 300_000, 299_750, 250, 0, -250].map((now, i, all) =>
      soundBetween(all[i - 1] ?? null, now),
    );
    expect(sounds).toEqual([null, null, "round_soon", null, null, "round_end", null]);
    expect(soundBetween(null, -5000)).toBe(null);
  });

  test("is visible in rounds that have one", () => {
    expect(hasTimer({ timer, state: "running" })).toBe(true);
    expect(hasTimer({ timer: { ...timer, minutes: 0 }, state: "running" })).toBe(false);
    expect(hasTimer({ timer, state: "published" })).toBe(false);
  });
});

test.each([
  [0, "0:00"],
  [-5000, "0:00"],
  [999, "0:01"],
  [61_000, "1:01"],
  [3_600_000, "1:00:00"],
  [4_509_000, "1:15:09"],
])("shows %i ms as %s", (ms, text) => {
  expect(clockText(ms)).toBe(text);
});

test("the desk's clock counts below zero", () => {
  expect([4500, 725, 60, 0.4, 0, -30, -61].map(deskClockText)).toEqual([
    "1:15:00",
    "12:05",
    "1:00",
    "0:01",
    "0:00",
    "−0:30",
    "−1:01",
  ]);
});
