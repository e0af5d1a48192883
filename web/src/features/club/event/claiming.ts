import type { EventEntry } from "$generated/wire";
import { byName } from "$domain/starting";

export function cardFrom(query: URLSearchParams): { entry: string; card: string } | null {
  const [entry, card] = [query.get("entry") ?? "", query.get("card") ?? ""];
  return entry && card ? { entry, card } : null;
}

/** Active entries without an account, sorted by name. */
export function unclaimed(entries: readonly EventEntry[]): EventEntry[] {
  return byName(
    entries.filter((entry) => !entry.account && (entry.status === "playing" || entry.status === "waiting")),
  );
}

/** Normalise a name for comparison, ignoring case, spaces and character width. */
function comparable(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
}

export function matchingEntries(entries: readonly EventEntry[], name: string): EventEntry[] {
  const wanted = comparable(name);
  return wanted ? unclaimed(entries).filter((entry) => comparable(entry.name) === wanted) : [];
}

export function claimableEntries(
  entries: readonly EventEntry[],
  at: readonly string[],
  search: string,
): { here: EventEntry[]; others: EventEntry[] } {
  const matching = unclaimed(entries).filter((entry) =>
    comparable(`${entry.called} ${entry.team}`).includes(comparable(search)),
  );
  return {
    here: matching.filter((entry) => at.includes(entry.id)),
    others: matching.filter((entry) => !at.includes(entry.id)),
  };
}
