import { beforeEach, expect, test, vi } from "vitest";
import type { TableInfo } from "$generated/wire";

const table = (id: string, status: TableInfo["status"], name = ""): TableInfo =>
  ({ id, status, name, rules: { name: "Standard" } }) as TableInfo;

beforeEach(() => {
  const store = new Map<string, string>([["jantaku.met", "1"]]);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
    removeItem: (key: string) => store.delete(key),
  });
  vi.resetModules();
});

test("only a game in progress is linked, and the link is stored for the next visit", async () => {
  const first = await import("./runningGame.svelte");
  first.noteOwnTables([
    table("a", "waiting"),
    table("b", "finished"),
    table("c", "playing"),
    table("d", "playing", "Ours"),
  ]);
  expect(first.runningGame()).toEqual({ table: "c", name: "Standard" });
  vi.resetModules();
  const again = await import("./runningGame.svelte");
  expect(again.runningGame()).toEqual({ table: "c", name: "Standard" });
  again.noteOwnTables([table("c", "finished")]);
  expect(again.runningGame()).toBeNull();
});

test("a signed-out visitor has no running game", async () => {
  const { noteOwnTables, runningGame } = await import("./runningGame.svelte");
  const { setPerson } = await import("./person.svelte");
  noteOwnTables([table("a", "playing", "Ours")]);
  expect(runningGame()?.name).toBe("Ours");
  setPerson(null);
  expect(runningGame()).toBeNull();
});

test("a damaged stored value is ignored", async () => {
  localStorage.setItem("jantaku.running", '{"table": 3}');
  expect((await import("./runningGame.svelte")).runningGame()).toBeNull();
});
