import { describe, expect, it } from "vitest";
import type { EventEntry } from "$generated/wire";
import { matchingEntries, cardFrom, claimableEntries, unclaimed } from "./claiming";

const entry = (id: string, name: string, more: Partial<EventEntry> = {}): EventEntry => ({
  id,
  name,
  called: name,
  team: "",
  status: "playing",
  account: false,
  mine: false,
  checked_in: null,
  merged_into: null,
  ...more,
});
const LIST = [
  entry("k", "김 민수"),
  entry("a", "Ann"),
  entry("t", "Taken", { account: true }),
  entry("w", "Wait", { status: "waiting" }),
  entry("x", "Gone", { status: "withdrawn" }),
  entry("q", "Asks", { status: "asked" }),
];
const ids = (entries: readonly EventEntry[]): string =>
  entries
    .map(({ id }) => id)
    .sort()
    .join("");

describe("entries on the player list", () => {
  it("can be claimed if they have no account and are playing or on the waiting list", () =>
    expect(ids(unclaimed(LIST))).toBe("akw"));

  it.each([
    ["김민수", "k"],
    ["ＡＮＮ", "a"],
    ["ann ", "a"],
    ["An", ""],
    ["", ""],
    ["Taken", ""],
  ])("match the name %s", (name, id) => {
    expect(ids(matchingEntries(LIST, name))).toBe(id);
  });

  it("at the user's table come first", () => {
    const { here, others } = claimableEntries(LIST, ["w", "t"], "");
    expect([ids(here), ids(others)]).toEqual(["w", "ak"]);
    expect(ids(claimableEntries(LIST, [], "민").others)).toBe("k");
  });

  it.each([
    ["entry=a&card=1f", { entry: "a", card: "1f" }],
    ["entry=a", null],
    ["", null],
  ])("may be claimed by a card in the address: %s", (query, card) => {
    expect(cardFrom(new URLSearchParams(query))).toEqual(card);
  });
});
