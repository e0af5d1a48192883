import { describe, expect, test } from "vitest";
import { atTableFirst } from "./starting";

describe("games that go on, for somebody at a table", () => {
  const games = [{ label: "1" }, { label: "2" }, { label: "" }];
  test("have that of the table first", () => expect(atTableFirst("2", games)).toEqual([{ label: "2" }, { label: "1" }, { label: "" }]));
  test("stay as they are at another table, and without one", () => {
    expect(atTableFirst("3", games)).toEqual(games);
    expect(atTableFirst("", games)).toEqual(games);
  });
});
