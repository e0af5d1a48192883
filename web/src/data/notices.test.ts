import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { showError, dismiss, notices, notify } from "./notices.svelte";

vi.stubGlobal("window", globalThis);
beforeEach(() => {
  vi.useFakeTimers();
  for (const notice of [...notices]) dismiss(notice.id);
});
afterAll(() => vi.useRealTimers()); // files share a thread

const texts = () => notices.map((notice) => notice.text);

test.each([
  [
    ["a", "b", "c"],
    ["b", "c"],
  ],
  [
    ["a", "b", "a"],
    ["b", "a"],
  ],
  [["a", "a"], ["a"]],
])("of the notices %j, %j remain", (shown, remaining) => {
  for (const text of shown) notify(text);
  expect(texts()).toEqual(remaining);
  vi.runAllTimers();
  expect(texts()).toEqual([]);
});

test("a repeated notice stays for the full time again", () => {
  notify("a");
  vi.advanceTimersByTime(5000);
  notify("a");
  vi.advanceTimersByTime(5000);
  expect(texts()).toEqual(["a"]);
});

test.each([
  [160, 12_000, true],
  [160, 13_000, false],
  [20, 7000, false],
])("a text of %i letters is visible after %i ms: %s", (letters, ms, shown) => {
  notify("a".repeat(letters));
  vi.advanceTimersByTime(ms);
  expect(texts().length === 1).toBe(shown);
});

test("lasting notices stay and do not count against the passing ones", () => {
  const offer = { label: "go", act: () => undefined };
  for (const text of ["new", "new"]) notify(text, offer);
  showError(Object.assign(new Error("away"), { code: "offline" }));
  for (const text of ["a", "b", "c"]) notify(text);
  expect(texts()).toEqual(["new", "away", "b", "c"]);
  vi.runAllTimers();
  expect(texts()).toEqual(["new", "away"]);
});
