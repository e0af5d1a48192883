import { expect, test } from "vitest";
import { total } from "./words.svelte";

test("the result of a game is in signed thousands", () => {
  expect([43900, -18000, 0, 100].map(total)).toEqual(["+43.9", "−18.0", "0.0", "+0.1"]);
});
