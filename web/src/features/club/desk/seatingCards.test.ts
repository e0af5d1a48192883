import { sample } from "$domain/sample";
import { expect, test } from "vitest";
import type { EventRounds, RoundInfo } from "$generated/wire";
import { roundsToPrint, seatList } from "./seatingCards";

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
