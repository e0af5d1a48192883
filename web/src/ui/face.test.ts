import { expect, test } from "vitest";
import { CHEEKS, COLOURS, EXTRAS, EYES, faceOf, MOUTHS } from "./face";

const FACES = Array.from({ length: 2000 }, (_, i) => faceOf(`person ${i}`));

test("a seed always gives the same face", () => {
  expect(faceOf("a1b2")).toEqual(faceOf("a1b2"));
});

test.each([
  ["colour", COLOURS],
  ["eyes", EYES],
  ["mouth", MOUTHS],
  ["cheeks", CHEEKS],
  ["extra", EXTRAS],
] as const)("every %s occurs about equally often", (trait, list) => {
  for (const value of list) {
    const count = FACES.filter((face) => face[trait] === value).length;
    expect(Math.abs(count - FACES.length / list.length)).toBeLessThan((0.35 * FACES.length) / list.length);
  }
});

test("four people at a table rarely look alike", () => {
  const looks = FACES.map((face) => JSON.stringify(face));
  const alike = looks.slice(3).filter((_, i) => new Set(looks.slice(i, i + 4)).size < 4).length;
  expect(alike).toBeLessThan(10);
});
