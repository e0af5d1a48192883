import { expect, test } from "vitest";
import { proposalOf } from "./votes";

const person = (name: string, wants_abort = false) => ({
  name,
  person: name,
  bot: null,
  gone: false,
  wants_abort,
  wants_rematch: false,
  shows_hand: false,
});
const BOT = {
  name: "Bot",
  person: null,
  bot: "standard",
  gone: false,
  wants_abort: false,
  wants_rematch: false,
  shows_hand: false,
};

test("a proposal names its supporters and counts the people at the table", () => {
  const seats = [person("Aya", true), person("Ben"), BOT, person("Cho", true)];
  expect(proposalOf(seats, 1, "wants_abort")).toEqual({ players: ["Aya", "Cho"], agreed: 2, people: 3, mine: false });
  expect(proposalOf(seats, 0, "wants_abort")).toEqual({ players: ["Aya", "Cho"], agreed: 2, people: 3, mine: true });
});

test.each([
  ["a spectator", [person("Aya", true), person("Ben")], null, "wants_abort"],
  ["a person alone with bots", [person("Aya", true), BOT], 0, "wants_abort"],
  ["a table without a proposal", [person("Aya"), person("Ben")], 0, "wants_abort"],
  ["another vote", [person("Aya", true), person("Ben")], 0, "wants_rematch"],
] as const)("%s has no proposal", (_, seats, me, wish) => expect(proposalOf(seats, me, wish)).toBe(null));

test("players who have left do not count, except for showing their hand", () => {
  const seats = [{ ...person("Aya", true), shows_hand: true }, person("Ben"), { ...person("Cho"), gone: true }];
  expect(proposalOf(seats, 1, "wants_abort")).toMatchObject({ agreed: 1, people: 2 });
  expect(proposalOf(seats, 1, "shows_hand")).toMatchObject({ agreed: 1, people: 3 });
});
