// A player's statistics: shares, means and the hands behind them.
import type { Figures, GameLine, HandLine, Share } from "$generated/wire";
import { number, formatted, t } from "./words.svelte";

const RATES = [
  ["win", "deal_in", "riichi", "call"],
  ["tsumo", "riichi_win", "open_win", "silent_win"],
  ["deal_in_to_riichi", "deal_in_to_open", "deal_in_to_silent"],
  ["win_after_riichi", "deal_in_after_riichi", "win_after_call", "deal_in_after_call"],
  ["draw", "tenpai_at_draw"],
] as const;

export function shareOf({ count, known }: Pick<Share, "count" | "known">): number | null {
  return known ? count / known : null;
}

export function percent(share: number | null): string {
  if (share === null) return "–";
  return formatted(share, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** Whether some cases lack a record, so that the share covers only the others. */
export function partlyKnown({ known, cases }: Pick<Share, "known" | "cases">): boolean {
  return known < cases;
}

/** The counts behind a share, and how many cases were recorded if not all. */
export function aboutShare(share: Pick<Share, "count" | "known" | "cases">): string {
  if (!share.known) return share.cases ? t("figures.unknown") : "";
  const known = partlyKnown(share)
    ? ` ${t("figures.known", { known: number(share.known), cases: number(share.cases) })}`
    : "";
  return `${number(share.count)}/${number(share.known)}${known}`;
}

export interface FigureRow {
  label: string;
  value: string;
  about?: string;
  hands: readonly number[];
}

export function rateRows({ rates }: Pick<Figures, "rates">): FigureRow[][] {
  return RATES.map((group) =>
    group.flatMap((rate) => {
      const share = rates[rate];
      const row = share && { value: percent(shareOf(share)), about: aboutShare(share), hands: share.hands };
      return row ? [{ label: t(`figures.rate.${rate}`), ...row }] : [];
    }),
  );
}

/** The mean of a sum over hands, in whole points; null without hands. */
export function meanOf({ sum, hands }: { sum: number; hands: readonly number[] }): number | null {
  return hands.length ? Math.round(sum / hands.length) : null;
}

export function linesAt(figures: Figures, hands: readonly number[]): HandLine[] {
  return hands.flatMap((at) => figures.hands[at] ?? []).reverse();
}

/** The order of ratings: the mean minus three standard deviations, as in OpenSkill. */
export function ordinal({ mu, sigma }: { mu: number; sigma: number }): number {
  return mu - 3 * sigma;
}

export function decimals(value: number | null): string {
  if (value === null) return "–";
  return formatted(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

export const LATEST = 20; // games in the moving average of places

/** The moving average of places, after each game. */
export function averages(games: readonly Pick<GameLine, "place">[], latest = LATEST): number[] {
  return games.map((_, at) => {
    const counted = games.slice(Math.max(0, at + 1 - latest), at + 1);
    return counted.reduce((sum, game) => sum + game.place, 0) / counted.length;
  });
}
