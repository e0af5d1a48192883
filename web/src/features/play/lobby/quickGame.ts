import { TABLE_OPTIONS } from "$generated/sets";
import type { TableInfo } from "$generated/wire";
import { Refused, send } from "$data/requests";
import { forgetRules, STANDARD } from "$domain/chosenRules";
import { wantedLevel } from "$domain/botLevel";
import { go } from "$ui/router.svelte";
import { MAX_SEATS } from "$domain/seats";
import { settings } from "$data/deviceSettings.svelte";

export interface QuickGame {
  rules: string;
  players?: number;
  level: string;
  length?: Length | null;
}

const KEY = "jantaku.length";
export const LENGTHS = ["east", "hanchan"] as const;
export type Length = (typeof LENGTHS)[number];

/** The last chosen length of a game against bots. */
export function chosenLength(): Length {
  return localStorage.getItem(KEY) === "hanchan" ? "hanchan" : "east";
}

export function chooseLength(length: Length): void {
  localStorage.setItem(KEY, length);
}

export async function quickGame({ rules, players = MAX_SEATS, level, length = null }: QuickGame): Promise<void> {
  // Load these while the table is created
  import("../table/Game.svelte").catch(() => undefined);
  import("$ui/tiles/sprite").then(({ layTiles }) => layTiles()).catch(() => undefined);
  const options = { ...TABLE_OPTIONS, clock: false, private: true, bot: wantedLevel(level), pace: settings.pace };
  const open = (by: string, bots: number): Promise<TableInfo> =>
    send("POST /api/tables", { body: { name: "", rules: by, length, options, bots, sit: true } });
  const table = await open(rules, players - 1).catch((error: unknown) => {
    if (!(error instanceof Refused) || error.code !== "no_rules") throw error;
    forgetRules(rules); // deleted, perhaps on another device
    return open(STANDARD, MAX_SEATS - 1);
  });
  await send("POST /api/tables/{table_id}/start", { path: { table_id: table.id }, query: { level: null } });
  go(`/t/${table.id}`);
}
