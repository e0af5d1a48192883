import { expect, test, vi } from "vitest";
import type { LogBody, LogPreview } from "$generated/wire";
import { LogQueue } from "./gameLogs.svelte";
import { playedAt } from "./gameLogs.svelte";

const PREVIEW: LogPreview = {
  format: "tenhou",
  site: "tenhou",
  names: ["ann", "ben", "cho", "dai"],
  players: ["a1", null, "c1", null],
  hands: 8,
  scores: [40000, 30000, 20000, 10000],
  final: [50000, 10000, -10000, -50000],
  places: [1, 2, 3, 4],
  known: null,
};

function queue(
  preview: (text: string) => Promise<LogPreview>,
  enter: (body: LogBody) => Promise<{ id: string }> = async ({ text }) => ({ id: text }),
): LogQueue {
  return new LogQueue({ previewLog: preview, enterLog: enter });
}

test("choosing a player assigns the same name in all logs", async () => {
  const logs = queue(async () => PREVIEW);
  logs.add("1.json", "one");
  logs.add("2.json", "two");
  await logs.read();
  const [first, second] = logs.items;
  if (!first || !second) throw new Error("two logs were added");
  logs.choose(first, 1, "b1");
  expect(second.players).toEqual(["a1", "b1", "c1", ""]);
  logs.choose(second, 1, "e1"); // so does correcting a choice
  expect(first.players).toEqual(["a1", "e1", "c1", ""]);
  logs.choose(second, 3, "d1");
  expect(logs.counts).toEqual({ entered: 0, known: 0, ready: 2, waiting: 0 });
});

test("a refused log keeps its players and does not stop the others", async () => {
  const enter = vi.fn(async ({ text }: LogBody) => {
    if (text === "one") throw new Error("not now");
    return { id: text };
  });
  const logs = queue(async () => ({ ...PREVIEW, players: ["a1", "b1", "c1", "d1"] }), enter);
  for (const text of ["one", "two"]) logs.add(text, text);
  await logs.read();
  await logs.enter("league");
  expect(logs.items.map(({ state, problem }) => [state, problem])).toEqual([
    ["open", "not now"],
    ["entered", ""],
  ]);
  expect(logs.items[0]?.players).toEqual(["a1", "b1", "c1", "d1"]);
  expect(logs.unfinished).toBe(true);
  enter.mockImplementation(async ({ text }) => ({ id: text }));
  await logs.enter("league");
  expect(logs.counts).toEqual({ entered: 2, known: 0, ready: 0, waiting: 0 });
  expect(enter).toHaveBeenCalledTimes(3);
  logs.clear();
  expect(logs.items).toEqual([]);
});

test("an unreadable log can be retried", async () => {
  const preview = vi.fn(async (): Promise<LogPreview> => Promise.reject(new Error("no server")));
  const logs = queue(preview);
  logs.add("1.json", "one");
  await logs.read();
  const [item] = logs.items;
  if (!item) throw new Error("a log was added");
  expect([item.state, item.problem]).toEqual(["unread", "no server"]);
  preview.mockImplementation(async () => ({ ...PREVIEW, known: "log-1" }));
  await logs.retry(item);
  expect([item.state, item.game, item.problem]).toEqual(["known", "log-1", ""]);
});

test("the same game in two formats is entered once", async () => {
  const logs = queue(
    async () => ({ ...PREVIEW, players: ["a1", "b1", "c1", "d1"] }),
    async () => ({ id: "same" }),
  );
  expect([logs.add("1.json", "one"), logs.add("1.xml", "two"), logs.add("copy.json", "one")]).toEqual([
    true,
    true,
    false,
  ]);
  await logs.read();
  await logs.enter("league");
  expect(logs.counts).toEqual({ entered: 1, known: 1, ready: 0, waiting: 0 });
});

test("logs added during an import are read afterwards", async () => {
  const logs = queue(async () => ({ ...PREVIEW, players: ["a1", "b1", "c1", "d1"] }));
  logs.add("1.json", "one");
  await logs.read();
  const entering = logs.enter("league");
  logs.add("2.json", "two");
  await Promise.all([entering, logs.read()]);
  expect(logs.items.map(({ state }) => state)).toEqual(["entered", "open"]);
  expect([logs.busy, logs.progress]).toEqual([false, { done: 1, all: 1 }]);
});

test("the id of a Tenhou game gives its start time", () => {
  expect(playedAt("2025060123gm-0089-0000-abcdef01.mjlog", "")).toBe("2025-06-01T14:00:00.000Z");
  expect(playedAt("x.json", '{"ref":"2025060123gm-0089-0000-abcdef01"}')).toBe("2025-06-01T14:00:00.000Z");
  expect(playedAt("2025139923gm-0089.mjlog", "")).toBeNull();
  expect(playedAt("game.json", "{}")).toBeNull();
});
