import type { AddWebhook, DeliveryInfo } from "$generated/wire";

export type NewsKind = AddWebhook["kinds"][number];
export type ChatFormat = NonNullable<AddWebhook["format"]>;
export const KINDS: readonly NewsKind[] = ["seating", "start", "result", "standings", "correction", "penalty", "call"];
export const USUAL: readonly NewsKind[] = ["seating", "start", "result", "standings"];
const HOSTS: readonly (readonly [RegExp, ChatFormat])[] = [
  [/(^|\.)discord(app)?\.com$/, "discord"],
  [/^hooks\.slack\.com$/, "slack"],
];
export const FORMATS: readonly ChatFormat[] = ["discord", "slack", "jantaku"];

/** Whose address it is, as far as its host tells. */
export function formatOf(url: string): ChatFormat | null {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return HOSTS.find(([known]) => known.test(host))?.[1] ?? null;
}
const SOON_MS = 1500;
const LATEST_MS = 60_000;

/** In how many milliseconds to look again at the deliveries; null if nothing is on its way. */
export function lookAgain(deliveries: readonly DeliveryInfo[], now: number): number | null {
  const waits = deliveries
    .filter(({ state }) => state === "waiting")
    .map(({ next }) => (next ? new Date(next).getTime() - now : 0));
  if (!waits.length) return null;
  return Math.min(Math.max(Math.min(...waits) + SOON_MS, SOON_MS), LATEST_MS);
}
