// Figures of a seat's review: agreement with the bot and losses.
import type { DecisionReview, DiscardReview, GameReview } from "$generated/wire";
import { decimals } from "$domain/figures";
import { number, t } from "$domain/words.svelte";

export const SIGNIFICANT = 150; // points; smaller losses mean little (docs/player.md)
const MAX_LISTED = 12;

export function agreement(decisions: readonly DecisionReview[], kind: DecisionReview["kind"]) {
  const ofKind = decisions.filter((decision) => decision.kind === kind);
  return { same: ofKind.filter((decision) => decision.same).length, all: ofKind.length };
}

type Unit = GameReview["unit"];

/** Whether a loss means something; on a program's own scale, any loss of another choice does. */
export function isNotable({ loss, same }: DecisionReview, unit: Unit): boolean {
  return unit === "points" ? (loss ?? 0) >= SIGNIFICANT : !same && (loss ?? 0) > 0;
}

export function largest(decisions: readonly DecisionReview[], unit: Unit, max = MAX_LISTED): DecisionReview[] {
  return decisions
    .filter((decision) => isNotable(decision, unit))
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

export function lossInWords({ loss }: DecisionReview, unit: Unit): string {
  return unit === "points"
    ? t("learn.review.loss", { points: number(Math.round(loss ?? 0)) })
    : `−${decimals(loss ?? 0)}`;
}
