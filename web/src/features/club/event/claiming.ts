import type { EventEntry } from "$generated/wire";
import { byName } from "$domain/starting";

export function cardIn(query: URLSearchParams): { entry: string; card: string } | null {
  const [entry, card] = [query.get("entry") ?? "", query.get("card") ?? ""];
  return entry && card ? { entry, card } : null;
}

/** Whoever is on the list without an account, by name. */
export function unclaimed(entries: readonly EventEntry[]): EventEntry[] {
  return byName(
    entries.filter((entry) => !entry.account && (entry.status === "playing" || entry.status === "waiting")),
  );
}

/** A name as people compare it: neither case nor spaces nor the width of letters matter. */
function plain(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
}

export function alike(entries: readonly EventEntry[], name: string): EventEntry[] {
  const wanted = plain(name);
  return wanted ? unclaimed(entries).filter((entry) => plain(entry.name) === wanted) : [];
}

export function offered(
  entries: readonly EventEntry[],
  at: readonly string[],
  search: string,
): { here: EventEntry[]; others: EventEntry[] } {
  const matching = unclaimed(entries).filter((entry) => plain(`${entry.called} ${entry.team}`).includes(plain(search)));
  return {
    here: matching.filter((entry) => at.includes(entry.id)),
    others: matching.filter((entry) => !at.includes(entry.id)),
  };
}
