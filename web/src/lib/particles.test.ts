import { expect, test } from "vitest";
import table from "../../../tests/data/particles.tsv?raw";
import { withParticles } from "./particles";

const rows = table
  .trimEnd()
  .split("\n")
  .slice(2)
  .map((line) => line.split("\t") as [string, string]);

test.each(rows)("%s is read as %s", (text, read) => {
  expect(withParticles(text)).toBe(read);
});

test("there are rows", () => expect(rows.length).toBeGreaterThan(30));
