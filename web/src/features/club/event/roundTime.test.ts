import { describe, expect, test } from "vitest";
import { clockText, deskClockText, hasTimer, leftMs, signalBetween } from "./roundTime";

describe("the timer", () => {
  const timer = { minutes: 75, running: true, started: false, extra_s: 0, left_s: 600, ends: null };

  test("runs from the moment of the answer, with the extra time of a table", () => {
    expect([leftMs(timer, 0), leftMs(timer, 1500), leftMs(timer, 1500, 60), leftMs(timer, 700_000)]).toEqual([
      600_000, 598_500, 658_500, -100_000,
    ]);
    expect(leftMs({ ...timer, running: false }, 99_000)).toBe(600_000);
  });

  test("is heard once when five minutes are left and when the time is up", () => {
    const heard = [360_000, 300_250, 300_000, 299_750, 250, 0, -250].map((now, i, all) =>
      signalBetween(all[i - 1] ?? null, now),
    );
    expect(heard).toEqual([null, null, "round_soon", null, null, "round_end", null]);
    expect(signalBetween(null, -5000)).toBe(null);
  });

  test("is shown for rounds that have one", () => {
    expect(hasTimer({ timer, state: "running" })).toBe(true);
    expect(hasTimer({ timer: { ...timer, minutes: 0 }, state: "running" })).toBe(false);
    expect(hasTimer({ timer, state: "published" })).toBe(false);
  });
});

test.each([
  [0, "0:00"],
  [-5000, "0:00"],
  [999, "0:01"],
  [61_000, "1:01"],
  [3_600_000, "1:00:00"],
  [4_509_000, "1:15:09"],
])("shows %i ms as %s", (ms, text) => {
  expect(clockText(ms)).toBe(text);
});

test("at the desk time goes on below zero", () => {
  expect([4500, 725, 60, 0.4, 0, -30, -61].map(deskClockText)).toEqual([
    "1:15:00",
    "12:05",
    "1:00",
    "0:01",
    "0:00",
    "−0:30",
    "−1:01",
  ]);
});
