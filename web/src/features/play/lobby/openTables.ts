import type { TableInfo } from "$generated/wire";

export interface TableFilter {
  length: "" | "east" | "hanchan";
  rules: string;
  /** The number of players; 0 for any. */
  players: number;
  free: boolean;
}

type Listed = Pick<TableInfo, "rules" | "status" | "seats">;

export function fits({ rules, status, seats }: Listed, filter: TableFilter): boolean {
  return (
    (!filter.length || rules.length === filter.length) &&
    (!filter.rules || rules.id === filter.rules) &&
    (!filter.players || seats.length === filter.players) &&
    (!filter.free || (status === "waiting" && seats.includes(null)))
  );
}

/** The ids and names of the tables' rules and of the chosen ones, sorted by name. */
export function rulesOf(tables: readonly Listed[], chosen: { id: string; name: string } | null): [string, string][] {
  const names = new Map(tables.map(({ rules }) => [rules.id, rules.name]));
  if (chosen && !names.has(chosen.id)) names.set(chosen.id, chosen.name);
  return [...names].sort(([, one], [, other]) => one.localeCompare(other));
}

export function isDone({ status }: TableInfo): boolean {
  return status === "finished" || status === "aborted";
}

/** The labels except empty ones and those repeated from the title or an earlier label. */
export function labelsBeside(title: string, labels: readonly string[]): string[] {
  const seen = [title.toLowerCase()];
  return labels.filter((label) => {
    const words = label.toLowerCase();
    if (!words || seen.some((text) => text.split(" · ").includes(words))) return false;
    seen.push(words);
    return true;
  });
}
