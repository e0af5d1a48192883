import type { AddWebhook, DeliveryInfo } from "$generated/wire";

export type NewsKind = AddWebhook["kinds"][number];
export type ChatFormat = NonNullable<AddWebhook["format"]>;
export const KINDS: readonly NewsKind[] = ["seating", "start", "result", "standings", "correction", "penalty", "call"];
export const DEFAULT_KINDS: readonly NewsKind[] = ["seating", "start", "result", "standings"];
const HOSTS: readonly (readonly [RegExp, ChatFormat])[] = [
  [/(^|\.)discord(app)?\.com$/, "discord"],
  [/^hooks\.slack\.com$/, "slack"],
];
export const FORMATS: readonly ChatFormat[] = ["discord", "slack", "jantaku"];

/** Recognise the chat service by the host. */
export function formatOf(url: string): ChatFormat | null {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return HOSTS.find(([known]) => known.test(host))?.[1] ?? null;
}
const MIN_DELAY_MS = 1500;
const MAX_DELAY_MS = 60_000;

/** Milliseconds until deliveries should be polled again; null if none is pending. */
export function pollDelay(deliveries: readonly DeliveryInfo[], now: number): number | null {
  const waits = deliveries
    .filter(({ state }) => state === "waiting")
    .map(({ next }) => (next ? new Date(next).getTime() - now : 0));
  if (!waits.length) return null;
  return Math.min(Math.max(Math.min(...waits) + MIN_DELAY_MS, MIN_DELAY_MS), MAX_DELAY_MS);
}
