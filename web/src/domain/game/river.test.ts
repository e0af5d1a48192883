import { describe, expect, test } from "vitest";
import { lapOf, rowsOf } from "./river";

const river = (count: number, sideways = -1): { sideways: boolean; key: number }[] =>
  Array.from({ length: count }, (_, key) => ({ sideways: key === sideways, key }));

describe.each(Array.from({ length: 31 }, (_, count) => count))("a river of %i tiles", (count) => {
  test("no tile is covered by half, wherever one lies sideways", () => {
    for (let sideways = -1; sideways < count; sideways++) {
      for (const row of rowsOf(river(count, sideways))) expect(lapOf(row)).toBeLessThan(0.5);
    }
  });

  test("every tile lies there once, in its order", () => {
    expect(
      rowsOf(river(count))
        .flat()
        .map(({ key }) => key),
    ).toEqual(river(count).map(({ key }) => key));
  });
});

test("rows of six lie side by side", () => {
  expect(rowsOf(river(18)).map((row) => [row.length, lapOf(row)])).toEqual([
    [6, 0],
    [6, 0],
    [6, 0],
  ]);
  expect(rowsOf(river(22)).map((row) => row.length)).toEqual([6, 6, 10]);
});
