// What needs somebody's attention now.
import type { ClaimInfo, EventEntry, RecordedSummary, RefereeCall } from "../generated/wire";

export const MATTERS = ["disputes", "calls", "doubts", "over", "expired", "asked", "claims"] as const;
export type Matter = (typeof MATTERS)[number];

/** Where each is dealt with. */
export const TAB_OF: Record<Matter, string> = { disputes: "referee", calls: "referee", doubts: "referee", over: "games", expired: "games", asked: "people", claims: "people" };

/** How many of each there are; what there is none of is left out. */
export function attention(
  entries: readonly EventEntry[],
  unfinished: readonly RecordedSummary[],
  calls: readonly RefereeCall[],
  doubts: readonly unknown[],
  claims: readonly ClaimInfo[],
): { matter: Matter; count: number }[] {
  const counts: Record<Matter, number> = {
    disputes: calls.filter((call) => call.kind === "dispute").length,
    calls: calls.filter((call) => call.kind === "call").length,
    doubts: doubts.length,
    over: unfinished.filter((game) => game.status === "over").length,
    expired: unfinished.filter((game) => game.status === "expired").length,
    asked: entries.filter((entry) => entry.status === "asked").length,
    claims: claims.filter((claim) => claim.state === "asked").length,
  };
  return MATTERS.map((matter) => ({ matter, count: counts[matter] })).filter(({ count }) => count > 0);
}
