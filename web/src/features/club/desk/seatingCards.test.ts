import { sample } from "$domain/sample";
import { expect, test } from "vitest";
import type { EventRounds, RoundInfo } from "$generated/wire";
import { roundsToPrint, schedules, seatsIn } from "./seatingCards";

const round = (number: number, state: RoundInfo["state"]): RoundInfo =>
  sample<RoundInfo>({
    number,
    state,
    tables: [
      { number: 1, players: ["d", "b"] },
      { number: 2, players: ["a", "c"] },
    ],
    byes: [],
  });

test("the wall list gives everyone's table and seat", () => {
  expect(seatsIn(round(1, "running")).map(({ entry, table, seat }) => `${entry}${table}${seat}`)).toEqual([
    "d10",
    "b11",
    "a20",
    "c21",
  ]);
});

test("current and upcoming rounds are printed first, drafts not at all", () => {
  const rounds = sample<EventRounds>({
    stages: [
      { stage: "main", rounds: [round(1, "done"), round(2, "running"), round(3, "published"), round(4, "drafted")] },
    ],
  });
  expect(roundsToPrint(rounds).map((printed) => printed.round.number)).toEqual([2, 3, 1]);
  expect(roundsToPrint(null)).toEqual([]);
});

test("each player gets a schedule of the published rounds", () => {
  const round = (number: number, state: RoundInfo["state"], players: string[]) => ({
    number,
    state,
    tables: [{ number: 7, players }],
  });
  const stages = [
    {
      stage: "a",
      rounds: [
        round(1, "done", ["e1"]),
        round(2, "running", ["e2", "e1"]),
        round(3, "published", ["e1", "e2"]),
        round(4, "drafted", ["e1"]),
      ],
    },
  ];
  expect(schedules(sample<EventRounds>({ stages })).get("e1")).toEqual([
    { entry: "e1", round: 2, table: 7, seat: 1 },
    { entry: "e1", round: 3, table: 7, seat: 0 },
  ]);
  expect(schedules(null).size).toBe(0);
});
