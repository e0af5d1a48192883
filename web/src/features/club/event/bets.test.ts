import { expect, test } from "vitest";
import type { BetInfo, EventEntry } from "$generated/wire";
import { betsOn, opponentsOf, settledWith, waitingForMe } from "./bets";

function bet(number: number, more: Partial<BetInfo> = {}): BetInfo {
  return {
    number,
    game: "g",
    kind: "fixed",
    stake: 5,
    entry: "b",
    name: "Ben",
    offered_by_me: false,
    status: "offered",
    points: null,
    ...more,
  };
}

function entry(id: string, account: boolean): EventEntry {
  return {
    id,
    name: id,
    called: id,
    team: "",
    status: "playing",
    account,
    mine: false,
    checked_in: null,
    merged_into: null,
  };
}

test("a bet is offered to the others at the table who have an account", () => {
  const entries = [entry("me", true), entry("b", true), entry("paper", false), entry("away", true)];
  expect(opponentsOf(["me", "paper", "b", "unknown"], entries, "me").map(({ id }) => id)).toEqual(["b"]);
});

test("only open offers of others wait for me", () => {
  const bets = [bet(1), bet(2, { offered_by_me: true }), bet(3, { status: "agreed" })];
  expect(waitingForMe(bets).map(({ number }) => number)).toEqual([1]);
});

test("the newest bet of a game comes first", () => {
  const bets = [bet(1), bet(2, { game: "other" }), bet(3)];
  expect(betsOn(bets, "g").map(({ number }) => number)).toEqual([3, 1]);
  expect(betsOn(bets, null).map(({ number }) => number)).toEqual([3, 2, 1]);
});

test("only players with a settled bet have a balance, also when it is even", () => {
  const bets = [
    bet(1, { status: "settled", points: 5 }),
    bet(2, { status: "settled", points: -5 }),
    bet(3, { entry: "c", status: "void" }),
  ];
  const balances = [
    { entry: "b", name: "Ben", points: 0 },
    { entry: "c", name: "Cem", points: 0 },
  ];
  expect(settledWith({ bets, balances }).map(({ entry }) => entry)).toEqual(["b"]);
});
