// How a year is counted: as a form shows it, as it is sent, and in words.
import { zone } from "../desk/timeFields";
import { named } from "../event/planInWords";
import { tally } from "../event/standingsPoints";
import type { AttendanceRule, SeasonInfo, SeasonPart, YearCounting, YearRow } from "../generated/wire";
import { listed, number, t } from "../lib/words.svelte";

export const UNITS = [1, 100, 1000] as const;
export const ROUNDINGS = ["nearest", "down", "towards_zero"] as const;
export const PER = ["event", "day", "game"] as const;

export interface CountingDraft {
  minGames: string;
  /** Points for taking part; empty if there are none. */
  attendance: string;
  per: AttendanceRule["per"];
  most: string;
  zone: string;
  /** Points for places, the first one first. */
  bonus: string;
  unit: string;
  rounding: YearCounting["rounding"];
}

function typed(value: number | null | undefined): string {
  return value ? String(value) : "";
}

export function countingDraft({ min_games, attendance, bonus, unit, rounding }: YearCounting): CountingDraft {
  return {
    minGames: typed(min_games),
    attendance: typed(attendance?.points),
    per: attendance?.per ?? "event",
    most: typed(attendance?.most),
    zone: attendance?.zone ?? zone(),
    bonus: (bonus ?? []).join(", "),
    unit: String(unit ?? 1),
    rounding: rounding ?? "nearest",
  };
}

/** The whole numbers of a text, whatever stands between them; a minus belongs to its number. */
export function numbersIn(text: string): number[] {
  return (text.replaceAll("−", "-").match(/-?\d+/g) ?? []).map(Number);
}

export function countingBody(draft: CountingDraft): YearCounting {
  const points = Number(draft.attendance);
  const attendance = points ? { points, per: draft.per, most: Number(draft.most) || null, zone: draft.zone } : null;
  return { min_games: Number(draft.minGames), attendance, bonus: numbersIn(draft.bonus), unit: Number(draft.unit), rounding: draft.rounding };
}

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
  const lines = [t(!part.ranked ? "season.part.unranked" : (part.share ?? 1) === 1 ? "season.part.ranked" : "season.part.share", { percent: shared(part, "share") })];
  if (part.brings) lines.push(t(part.brings === 1 ? "season.part.brings_all" : "season.part.brings", { percent: shared(part, "brings") }));
  return lines;
}

/** How a year is counted, in words. */
export function countingLines({ counting, cut, parts }: Pick<SeasonInfo, "counting" | "cut" | "parts">): string[] {
  const { min_games, attendance, bonus, unit, rounding } = counting;
  const lines = [t("season.counts.sum", { parts: listed(parts.filter(({ ranked }) => ranked).map((part) => named(part.name, named(part.event_name)))) })];
  if (min_games) lines.push(t("season.counts.min_games", { count: number(min_games) }));
  if (attendance) {
    lines.push(t(`season.counts.attendance_${attendance.per ?? "event"}`, { points: tally(attendance.points) }));
    if (attendance.most) lines.push(t("season.counts.attendance_most", { count: number(attendance.most) }));
  }
  if (bonus?.length) lines.push(t("season.counts.bonus", { list: listed(bonus.map((points, i) => t("season.counts.place", { place: i + 1, points: tally(points) }))) }));
  if (parts.some(({ ranked, share, brings }) => (ranked && (share ?? 1) !== 1) || brings)) lines.push(t(`season.counts.${rounding ?? "nearest"}`, { unit: number(unit ?? 1) }));
  if (cut !== null) lines.push(t("season.year.cut", { count: number(cut) }));
  return lines;
}

/** How many games a player still needs to qualify. */
export function gamesMissing(row: Pick<YearRow, "games">, counting: YearCounting): number {
  return Math.max(0, (counting.min_games ?? 0) - row.games);
}
