import { sample } from "$domain/sample";
import { expect, it } from "vitest";
import type { Won } from "$generated/wire";
import { partsMs, stepMs, winMs } from "./handResultTiming";

const win = (count: number): Won =>
  sample<Won>({ score: { yaku: Object.fromEntries(Array.from({ length: count }, (_, i) => [`yaku${i}`, 1])) } });

it("names yaku, then fu, then the value", () => {
  const { fu, value } = partsMs(3);
  expect(fu).toBeGreaterThanOrEqual(3 * stepMs(3));
  expect(value).toBeGreaterThan(fu);
});

it("takes under three seconds however many yaku there are", () => {
  for (const count of [0, 1, 4, 12, 30]) expect(winMs(win(count))).toBeLessThan(3000);
});
