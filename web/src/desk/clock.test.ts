import { expect, test } from "vitest";
import { clockText, leftNow } from "./clock";

test("time is minutes and seconds, with a sign when it is over", () => {
  expect([4500, 725, 60, 0.4, 0, -30, -61].map(clockText)).toEqual(["1:15:00", "12:05", "1:00", "0:01", "0:00", "−0:30", "−1:01"]);
});

test("a running timer goes on from the moment at which the server told it", () => {
  expect([leftNow(60, true, 1000, 31_000), leftNow(60, false, 1000, 31_000)]).toEqual([30, 60]);
});
