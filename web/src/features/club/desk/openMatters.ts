// What needs somebody's attention now.
import type { ClaimInfo, EventEntry, EventRounds, RecordedSummary, RefereeCall } from "$generated/wire";

export const MATTERS = ["disputes", "calls", "doubts", "over", "expired", "asked", "claims"] as const;
export type Matter = (typeof MATTERS)[number];

/** Where each is dealt with. */
export const TAB_OF: Record<Matter, string> = {
  disputes: "referee",
  calls: "referee",
  doubts: "referee",
  over: "games",
  expired: "games",
  asked: "people",
  claims: "people",
};

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

export interface RoundMatters {
  /** The stages that are played in rounds and have none yet. */
  unplanned: string[];
  /** Who has a seat in a round to come and takes no part in it. */
  gone: { stage: string; number: number; entries: string[] }[];
}

/** What an organiser has to seat, or to seat again. */
export function roundMatters({ stages }: Pick<EventRounds, "stages">, entries: readonly EventEntry[]): RoundMatters {
  const playing = new Set(entries.filter(({ status }) => status === "playing").map(({ id }) => id));
  const gone = stages.flatMap(({ stage, rounds, absences }) =>
    rounds
      .filter(({ state }) => state === "published" || state === "drafted")
      .map(({ number, tables }) => {
        const away = absences
          .filter(({ first, last }) => first <= number && number <= (last ?? number))
          .map(({ entry }) => entry);
        return {
          stage,
          number,
          entries: tables
            .flatMap(({ players }) => players)
            .filter((entry) => !playing.has(entry) || away.includes(entry)),
        };
      }),
  );
  return {
    unplanned: stages.filter(({ rounds }) => !rounds.length).map(({ stage }) => stage),
    gone: gone.filter((round) => round.entries.length),
  };
}
