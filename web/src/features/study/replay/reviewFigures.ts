// Figures of a seat's review.
import type { GameReview } from "$generated/wire";
import { number, t } from "$domain/words.svelte";

export type Decision = GameReview["review"]["decisions"][number];

/** The mistakes, costliest first. */
export function mistakesOf({ review }: GameReview): Decision[] {
  return review.decisions.filter(isMistake).toSorted((a, b) => lossOf(b) - lossOf(a));
}

export const isMistake = ({ verdict }: Decision): boolean => verdict === "mistake";
export const lossOf = ({ compared }: Decision): number => compared?.loss ?? 0;

export function lossInWords(decision: Decision): string {
  return t("learn.review.loss", { points: number(Math.round(lossOf(decision))) });
}
