import { expect, test } from "vitest";
import type { LabRow } from "$generated/wire";
import { clearest, isChoice, isClear, rangeOf, scaleOf, spreadOf, valueOf } from "./question.svelte";

function row(label: string, kind: LabRow["kind"], change: number[] | null): LabRow {
  return { group: "rate", label, kind, before: null, after: null, change, clear: isClear(change), whole: false };
}

test("an estimate is formatted in the unit of its kind", () => {
  expect(valueOf([0.2134, 0.2, 0.22], "share")).toBe("21.3%");
  expect(valueOf([2.305, 2.2, 2.4], "place")).toBe("2.31");
  expect(valueOf([13_740, 1, 2], "final")).toBe("+13.7");
  expect(valueOf([5186.6, 1, 2], "points")).toBe("5,187");
  expect(valueOf(null, "points")).toBe("–");
  expect(spreadOf([2.3, 2.2, 2.4], "place")).toBe("± 0.10");
  expect(rangeOf([0.01, -0.004, 0.024], "share")).toBe("−0.4 … +2.4");
});

test("a difference is clear if its interval excludes zero", () => {
  expect([[0.1, 0.05, 0.15], [-2, -3, -1], [0.1, -0.1, 0.3], null].map((interval) => isClear(interval))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("the clearest differences come first, regardless of unit", () => {
  const rows = [
    row("a", "share", [0.02, 0.01, 0.03]),
    row("b", "points", [500, 400, 600]),
    row("c", "share", [0.1, -0.1, 0.3]),
    row("d", "number", null),
  ];
  expect(clearest(rows).map((clear) => clear.label)).toEqual(["b", "a"]);
  expect(scaleOf(rows, "share")).toBe(0.3);
  expect(scaleOf(rows, "points")).toBe(600);
});

test("the played action is found among the choices", () => {
  const row = { how: "discard", tile: "5p" };
  expect(isChoice({ type: "discard", tile: "5p", drawn: true }, row)).toBe(true);
  expect(isChoice({ type: "discard", tile: "0p" }, row)).toBe(false);
  expect(isChoice({ type: "discard", tile: "5p", riichi: "riichi" }, row)).toBe(false);
  expect(isChoice({ type: "discard", tile: "5p", riichi: "riichi" }, { how: "riichi", tile: "5p" })).toBe(true);
  expect(isChoice({ type: "kan", kind: "ankan", tile: "5p" }, { how: "ankan", tile: "5p" })).toBe(true);
  expect(isChoice({ type: "kita" }, { how: "kita", tile: null })).toBe(true);
  expect(isChoice(null, row)).toBe(false);
});
