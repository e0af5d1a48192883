// The names under which the user of this device plays elsewhere, so that logs open at their seat.
import { readStored, writeStored } from "./deviceStorage";

const KEY = "jantaku.names";
const MAX_NAMES = 20;

function ownNames(): string[] {
  const stored = readStored(KEY);
  return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
}

export function rememberName(name: string): void {
  if (name) writeStored(KEY, [name, ...ownNames().filter((other) => other !== name)].slice(0, MAX_NAMES));
}

/** Return the only seat with one of the user's names, the latest name first; null if there is none or several. */
export function ownSeat(names: readonly string[], here: string | undefined): number | null {
  for (const own of [...ownNames(), here]) {
    const seats = names.flatMap((name, seat) => (own && name === own ? [seat] : []));
    if (seats.length) return seats.length === 1 ? (seats[0] ?? null) : null;
  }
  return null;
}
