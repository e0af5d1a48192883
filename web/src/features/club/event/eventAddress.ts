import { partsOf } from "$domain/path";

const PAGES = ["home", "standings", "games", "players", "rounds", "statistics", "reports", "bets"] as const;
export type EventPage = (typeof PAGES)[number];
const WITH_ITEM: ReadonlySet<string> = new Set(["games", "players"]);

export function parsePath(path: string): { page: EventPage | null; of: string } {
  const [, , page = "", of = "", ...more] = partsOf(path);
  const known = page === "" ? "home" : (PAGES.slice(1).find((name) => name === page) ?? null);
  const fits = more.length === 0 && (of === "" || WITH_ITEM.has(page));
  return { page: fits ? known : null, of };
}

export function pathOf(event: string, ...rest: string[]): string {
  return ["/events", event, ...rest].map((part, i) => (i ? encodeURIComponent(part) : part)).join("/");
}

export function qrAddress(
  event: string,
  query: {
    page?: "events" | "record" | "screen";
    game?: string;
    table?: string;
    code?: string;
    entry?: string;
    card?: string;
  } = {},
): string {
  return `/api/events/${encodeURIComponent(event)}/qr.svg?${new URLSearchParams(query)}`;
}
