import { describe, expect, test } from "vitest";
import { atTableFirst, tableOf } from "./starting";

describe("games that go on, for somebody at a table", () => {
  const games = [{ label: "1" }, { label: "2" }, { label: "" }];
  test("have that of the table first", () =>
    expect(atTableFirst("2", games)).toEqual([{ label: "2" }, { label: "1" }, { label: "" }]));
  test("stay as they are at another table, and without one", () => {
    expect(atTableFirst("3", games)).toEqual(games);
    expect(atTableFirst("", games)).toEqual(games);
  });
});

test("a table in the address is a number and nothing else", () => {
  const tables = ["table=12", "", "table=", "table=1234", "table=%E2%80%AE12", "table=1<b>"].map((query) =>
    tableOf(new URLSearchParams(query)),
  );
  expect(tables).toEqual(["12", "", "", "", "", ""]);
});
