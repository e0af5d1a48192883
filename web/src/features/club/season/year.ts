import { createContext } from "svelte";
import { listed, number, t } from "$domain/words.svelte";
import type { SeasonInfo, SeasonPart, SeasonPartInfo, StandingsBody, YearRanking, YearRow } from "$generated/wire";

/** The open season; `year` is null while hidden or loading. */
export interface OpenSeason {
  readonly info: SeasonInfo;
  readonly year: YearRanking | null;
  readonly hidden: boolean;
  readonly winners: readonly string[];
  load: () => Promise<void>;
}
export const [currentSeason, provideSeason] = createContext<OpenSeason>();

export function partName(parts: readonly SeasonPartInfo[], id: string): string {
  const at = parts.findIndex((part) => part.id === id);
  return parts[at]?.name || parts[at]?.event_name || t("season.part.number", { number: at + 1 });
}

/** Number of rows above the cut, including withdrawn players; 0 without a cut or if everyone or no one is above it. */
export function rowsAboveCut(ranking: readonly YearRow[]): number {
  const through = ranking.findLastIndex(({ finalist }) => finalist) + 1;
  return through < ranking.length ? through : 0;
}

interface Distance {
  side: "inside" | "outside";
  /** Points ahead of the first row below the cut, or missing to reach it; null if no one is on the other side. */
  points: number | null;
}

/** Distance of a row from the cut; null without a cut or if the player withdrew from the final. */
export function distanceOf(row: YearRow, ranking: readonly YearRow[], cut: number | null): Distance | null {
  if (cut === null || row.withdrawn) return null;
  const through = ranking.findLastIndex(({ finalist }) => finalist);
  const [last, next] = [ranking[through], ranking[through + 1]];
  if (row.finalist) return { side: "inside", points: next ? row.points - next.points : null };
  return { side: "outside", points: last ? last.points - row.points : null };
}

export function pointsIn(row: YearRow, part: string): number | null {
  const entries = row.entries.filter((entry) => entry.part === part);
  return entries.length ? entries.reduce((sum, { points }) => sum + points, 0) : null;
}

export function countingParts(parts: readonly SeasonPartInfo[]): SeasonPartInfo[] {
  return parts.filter(({ ranked, event, status }) => ranked && event !== null && status !== "cancelled");
}

export function isDecided(parts: readonly SeasonPartInfo[]): boolean {
  const counting = parts.filter(({ ranked, status }) => ranked && status !== "cancelled");
  return counting.length > 0 && counting.every(({ status }) => status === "closed");
}

export function hiddenParts(parts: readonly SeasonPartInfo[]): SeasonPartInfo[] {
  return countingParts(parts).filter(({ hidden }) => hidden);
}

/** Whether the ranking is hidden from the user; staff of every event with hidden standings may see it. */
export function isRankingHidden(parts: readonly SeasonPartInfo[]): boolean {
  return hiddenParts(parts).some(({ role }) => role === null);
}

export function stateOf({ status, opens, closes }: SeasonPartInfo, now: number) {
  if (status === null) return "none";
  if (status !== "open") return status;
  if (!opens && !closes) return "undated";
  if (opens && now < Date.parse(opens)) return "upcoming";
  return closes && Date.parse(closes) <= now ? "ended" : "open";
}

/** Parts that can take the finalists: open, organised by the user, and after all counting parts or last in the season. */
export function finalistParts(parts: readonly SeasonPartInfo[]): Set<string> {
  const [first, last] = [parts.findIndex(({ ranked }) => ranked), parts.findLastIndex(({ ranked }) => ranked)];
  const behind = (i: number): boolean => first >= 0 && (i > last || (i > first && i === parts.length - 1));
  return new Set(
    parts.filter(({ status, role }, i) => behind(i) && status === "open" && role === "organiser").map(({ id }) => id),
  );
}

export function winnersOf({ stages, names }: StandingsBody): string[] {
  const rows = stages.at(-1)?.standings ?? [];
  return rows
    .filter(({ rank, qualified, games }) => rank === 1 && qualified && games > 0)
    .map(({ player }) => names[player] ?? player);
}

export function partLines({ ranked, share = 1, brings = 0 }: SeasonPart): string[] {
  const percent = (part: number): { percent: string } => ({ percent: `${number(part * 100)}%` });
  return [
    t(!ranked ? "season.part.unranked" : share === 1 ? "season.part.ranked" : "season.part.share", percent(share)),
    ...(brings ? [t(brings === 1 ? "season.part.brings_all" : "season.part.brings", percent(brings))] : []),
  ];
}

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

export function gamesMissing(row: Pick<YearRow, "games">, minGames: number): number {
  return Math.max(0, minGames - row.games);
}
