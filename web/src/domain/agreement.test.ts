import { expect, test } from "vitest";
import table from "../../../tests/data/agreement.tsv?raw";
import { inflect } from "./agreement";

const rows = table
  .trimEnd()
  .split("\n")
  .slice(2)
  .map((line) => line.split("\t") as [string, string]);

test.each(rows)("%s is read as %s", (text, read) => {
  expect(inflect(text, String)).toBe(read);
});

test("the shared table has rows", () => expect(rows.length).toBeGreaterThan(30));

test("inserted values stay unchanged", () => {
  expect(inflect("{team}: 1 game(s)", (text) => text.replace("{team}", "Ace(s) 은(는)"))).toBe("Ace(s) 은(는): 1 game");
});
