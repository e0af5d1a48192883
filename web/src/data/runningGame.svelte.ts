// The running game of this person, to which every page leads back.
import type { TableInfo } from "$generated/wire";
import { keep, kept } from "./deviceStorage";
import { stranger } from "./person.svelte";
import { send } from "./requests";

export interface RunningGame {
  table: string;
  name: string;
}

const KEPT = "jantaku.running"; // shown before the server has answered, so that nothing moves on the page then

const before = kept(KEPT) as Partial<RunningGame> | null;
let running = $state.raw<RunningGame | null>(
  typeof before?.table === "string" && typeof before.name === "string"
    ? { table: before.table, name: before.name }
    : null,
);

export function runningGame(): RunningGame | null {
  return stranger() ? null : running;
}

/** Note which of one's own tables, the newest first, has a running game. */
export function noteOwnTables(mine: readonly TableInfo[]): void {
  const table = mine.find(({ status }) => status === "playing");
  const next = table ? { table: table.id, name: table.name || table.rules.name } : null;
  if (next?.table === running?.table && next?.name === running?.name) return;
  running = next;
  keep(KEPT, next);
}

export async function findRunningGame(): Promise<void> {
  noteOwnTables((await send("GET /api/tables", { query: { mine: true } })).mine);
}
