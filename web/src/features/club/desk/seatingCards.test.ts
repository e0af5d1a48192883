import { sample } from "$domain/sample";
import { expect, test } from "vitest";
import type { EventRounds, RecordedSummary, RoundInfo } from "$generated/wire";
import { cardsOf, roundsToPrint, schedules, seatList } from "./seatingCards";

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

test("a wall list has everybody by name, with table and seat", () => {
  expect(
    seatList(round(1, "running"), (entry) => entry.toUpperCase()).map(
      ({ name, table, seat }) => `${name}${table}${seat}`,
    ),
  ).toEqual(["A20", "B11", "C21", "D10"]);
});

test("what is printed first is what is played or comes next; drafts are not printed", () => {
  const rounds = sample<EventRounds>({
    stages: [
      { stage: "main", rounds: [round(1, "done"), round(2, "running"), round(3, "published"), round(4, "drafted")] },
    ],
  });
  expect(roundsToPrint(rounds).map((printed) => printed.round.number)).toEqual([2, 3, 1]);
  expect(roundsToPrint(null)).toEqual([]);
});

const PEOPLE: Record<string, string> = { e1: "Ann", e2: "Ben", e3: "Cho" };

test("each player of a game gets a card with the others", () => {
  const games = [{ id: "g", number: 4, label: "T1", players: ["e1", "e2", "e3"] }] as RecordedSummary[];
  expect(cardsOf(games, (entry) => PEOPLE[entry] ?? "")[1]).toEqual({
    game: "g",
    number: 4,
    label: "T1",
    seat: 1,
    name: "Ben",
    others: ["Ann", "Cho"],
  });
});

test("each player gets a plan of the published rounds", () => {
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
    { stage: "a", round: 2, table: 7, seat: 1 },
    { stage: "a", round: 3, table: 7, seat: 0 },
  ]);
  expect(schedules(null).size).toBe(0);
});
