import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withParticles } from "./particles";

const rows = readFileSync(new URL("../../../tests/data/particles.tsv", import.meta.url), "utf-8")
  .trimEnd()
  .split("\n")
  .slice(2)
  .map((line) => line.split("\t") as [string, string]);

test.each(rows)("%s is read as %s", (text, read) => {
  expect(withParticles(text)).toBe(read);
});

test("there are rows", () => expect(rows.length).toBeGreaterThan(30));
