// News of an event for another server.
import type { DeliveryInfo, SetWebhook } from "../generated/wire";

export type NewsKind = SetWebhook["kinds"][number];
export const KINDS: readonly NewsKind[] = ["seating", "start", "correction", "penalty"];
const SOON_MS = 1500;
const LATEST_MS = 60_000;

/** In how many milliseconds to look again at the deliveries; null if nothing is on its way. */
export function lookAgain(deliveries: readonly DeliveryInfo[], now: number): number | null {
  const waits = deliveries.filter(({ state }) => state === "waiting").map(({ next }) => (next ? new Date(next).getTime() - now : 0));
  if (!waits.length) return null;
  return Math.min(Math.max(Math.min(...waits) + SOON_MS, SOON_MS), LATEST_MS);
}
