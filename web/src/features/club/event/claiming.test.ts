import { describe, expect, it } from "vitest";
import type { EventEntry } from "$generated/wire";
import { alike, cardIn, offered, unclaimed } from "./claiming";

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

describe("names of the list", () => {
  it("are free without an account, while their owner plays or waits", () => expect(ids(unclaimed(LIST))).toBe("akw"));

  it.each([
    ["김민수", "k"],
    ["ＡＮＮ", "a"],
    ["ann ", "a"],
    ["An", ""],
    ["", ""],
    ["Taken", ""],
  ])("are found by %s", (name, id) => {
    expect(ids(alike(LIST, name))).toBe(id);
  });

  it("stand first at one's own table", () => {
    const { here, others } = offered(LIST, ["w", "t"], "");
    expect([ids(here), ids(others)]).toEqual(["w", "ak"]);
    expect(ids(offered(LIST, [], "민").others)).toBe("k");
  });

  it.each([
    ["entry=a&card=1f", { entry: "a", card: "1f" }],
    ["entry=a", null],
    ["", null],
  ])("come with a card: %s", (query, card) => {
    expect(cardIn(new URLSearchParams(query))).toEqual(card);
  });
});
