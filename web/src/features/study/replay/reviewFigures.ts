// Figures of a seat's review: agreement with the bot and losses.
import type { DecisionReview, DiscardReview } from "$generated/wire";
import { number, t } from "$domain/words.svelte";

export const SIGNIFICANT = 150; // points; smaller losses mean little (docs/player.md)
const MAX_LISTED = 12;

export function agreement(decisions: readonly DecisionReview[], kind: DecisionReview["kind"]) {
  const ofKind = decisions.filter((decision) => decision.kind === kind);
  return { same: ofKind.filter((decision) => decision.same).length, all: ofKind.length };
}

export function largest(decisions: readonly DecisionReview[], max = MAX_LISTED): DecisionReview[] {
  return decisions
    .filter((decision) => (decision.loss ?? 0) >= SIGNIFICANT)
    .sort((a, b) => (b.loss ?? 0) - (a.loss ?? 0))
    .slice(0, max);
}

export function pointsLost(decisions: readonly DecisionReview[]): number {
  return decisions.reduce((sum, decision) => sum + (decision.loss ?? 0), 0);
}

/** A discard in words: "1-shanten, 17 tiles, danger 120". */
export function inWords(discard: DiscardReview): string {
  const distance =
    discard.shanten > 0 ? t("learn.review.shanten", { count: discard.shanten }) : t("learn.review.tenpai");
  const parts = [distance, t("learn.review.tiles", { count: number(discard.tiles) })];
  if (discard.danger >= 1) parts.push(t("learn.review.danger", { points: number(Math.round(discard.danger)) }));
  return parts.join(" · ");
}

export function lossInWords(decision: DecisionReview): string {
  return t("learn.review.loss", { points: number(Math.round(decision.loss ?? 0)) });
}
