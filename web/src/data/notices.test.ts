import { beforeEach, expect, test, vi } from "vitest";
import { showError, dismiss, notices, notify } from "./notices.svelte";

vi.stubGlobal("window", globalThis);
beforeEach(() => {
  vi.useFakeTimers();
  for (const notice of [...notices]) dismiss(notice.id);
});

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
])("of %j these are left: %j", (said, left) => {
  for (const text of said) notify(text);
  expect(texts()).toEqual(left);
  vi.runAllTimers();
  expect(texts()).toEqual([]);
});

test("what is said again stays as long as when it was said first", () => {
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
])("a text of %i letters is there after %i ms: %s", (letters, ms, shown) => {
  notify("a".repeat(letters));
  vi.advanceTimersByTime(ms);
  expect(texts().length === 1).toBe(shown);
});

test("what somebody can act on stays, and takes no room from what passes", () => {
  const offer = { label: "go", act: () => undefined };
  for (const text of ["new", "new"]) notify(text, offer);
  showError(Object.assign(new Error("away"), { code: "offline" }));
  for (const text of ["a", "b", "c"]) notify(text);
  expect(texts()).toEqual(["new", "away", "b", "c"]);
  vi.runAllTimers();
  expect(texts()).toEqual(["new", "away"]);
});
