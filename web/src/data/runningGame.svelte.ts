// The signed-in person's running game, to which every page links.
import type { TableInfo } from "$generated/wire";
import { readStored, writeStored } from "./deviceStorage";
import { signedOut } from "./person.svelte";
import { send } from "./requests";

export interface RunningGame {
  table: string;
  name: string;
}

const KEY = "jantaku.running"; // shown until the server answers, so that the page does not shift

const before = readStored(KEY) as Partial<RunningGame> | null;
let running = $state.raw<RunningGame | null>(
  typeof before?.table === "string" && typeof before.name === "string"
    ? { table: before.table, name: before.name }
    : null,
);

export function runningGame(): RunningGame | null {
  return signedOut() ? null : running;
}

/** Find the running game among the person's own tables, newest first. */
export function noteOwnTables(mine: readonly TableInfo[]): void {
  const table = mine.find(({ status }) => status === "playing");
  const next = table ? { table: table.id, name: table.name || table.rules.name } : null;
  if (next?.table === running?.table && next?.name === running?.name) return;
  running = next;
  writeStored(KEY, next);
}

export async function findRunningGame(): Promise<void> {
  noteOwnTables((await send("GET /api/tables", { query: { mine: true } })).mine);
}
