import type { TableInfo } from "$generated/wire";

export interface TableFilter {
  length: "" | "east" | "hanchan";
  rules: string;
  /** How many play; 0 for any number. */
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

/** The rulesets of these tables by id with their names, and the chosen one, in the order of names. */
export function rulesOf(tables: readonly Listed[], chosen: { id: string; name: string } | null): [string, string][] {
  const names = new Map(tables.map(({ rules }) => [rules.id, rules.name]));
  if (chosen && !names.has(chosen.id)) names.set(chosen.id, chosen.name);
  return [...names].sort(([, one], [, other]) => one.localeCompare(other));
}

export function isDone({ status }: TableInfo): boolean {
  return status === "finished" || status === "aborted";
}

/** The labels without empty ones, and without those that the title or an earlier label already says. */
export function labelsBeside(title: string, labels: readonly string[]): string[] {
  const said = [title.toLowerCase()];
  return labels.filter((label) => {
    const words = label.toLowerCase();
    if (!words || said.some((spoken) => spoken.split(" · ").includes(words))) return false;
    said.push(words);
    return true;
  });
}
