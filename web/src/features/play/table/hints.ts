// The one place that decides whether a player gets hints.
import type { TableInfo } from "$generated/wire";

type Asked = { options: Pick<TableInfo["options"], "hints" | "rated"> };

/** Whether to ask for hints: rated tables have none, a table may forbid them, and a player may not want them. */
export function hintsAllowed(table: Asked | null, wanted: boolean): boolean {
  return wanted && table !== null && table.options.hints && !table.options.rated;
}
