// How a year is counted, in words, and shares as a form shows them.
import type { SeasonInfo, SeasonPart, YearRow } from "$generated/wire";
import { listed, number, t } from "$domain/words.svelte";

/** A share in percent, as a form shows it. */
export function percentOf(share: number): string {
  return String(Math.round(share * 10_000) / 100);
}

/** A share as it is sent; what is no percentage is none at all. */
export function shareOf(percent: string): number {
  const value = Math.round(Number(percent) * 100) / 10_000;
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}

function shared(part: SeasonPart, key: "share" | "brings"): string {
  return `${number((part[key] ?? 0) * 100)}%`;
}

/** What a part gives to the year, or takes from it; empty if all of its points count. */
export function partLines(part: SeasonPart): string[] {
  const lines = [
    t(!part.ranked ? "season.part.unranked" : (part.share ?? 1) === 1 ? "season.part.ranked" : "season.part.share", {
      percent: shared(part, "share"),
    }),
  ];
  if (part.brings)
    lines.push(
      t(part.brings === 1 ? "season.part.brings_all" : "season.part.brings", { percent: shared(part, "brings") }),
    );
  return lines;
}

/** How a year is counted, in words. */
export function countingLines({ min_games, cut, parts }: Pick<SeasonInfo, "min_games" | "cut" | "parts">): string[] {
  const lines = [
    t("season.counts.sum", {
      parts: listed(parts.filter(({ ranked }) => ranked).map((part) => part.name || part.event_name || "")),
    }),
  ];
  if (min_games) lines.push(t("season.counts.min_games", { count: number(min_games) }));
  if (cut !== null) lines.push(t("season.year.cut", { count: number(cut) }));
  return lines;
}

/** How many games a player still needs to qualify. */
export function gamesMissing(row: Pick<YearRow, "games">, minGames: number): number {
  return Math.max(0, minGames - row.games);
}
