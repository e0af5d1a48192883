// An answer to an exercise: the chosen choices, and whether they have been given as the answer.
import type { Exercise } from "$generated/wire";
import { kindOf, type Tile } from "$domain/tiles/notation";

export interface Attempt {
  chosen: ReadonlySet<number>;
  phase: "asking" | "answered";
}
export type Mark = "right" | "missed" | "wrong" | "";
type Asked = Pick<Exercise, "right" | "several">;

export const NEW: Attempt = { chosen: new Set(), phase: "asking" };

/** Choose a choice, which answers at once if only one is right; choosing one of several again takes it back. */
export function choose(asked: Asked, attempt: Attempt, index: number): Attempt {
  if (attempt.phase === "answered") return attempt;
  if (!asked.several) return { chosen: new Set([index]), phase: "answered" };
  const chosen = new Set(attempt.chosen);
  if (!chosen.delete(index)) chosen.add(index);
  return { chosen, phase: "asking" };
}

export function give(attempt: Attempt): Attempt {
  return attempt.chosen.size ? { ...attempt, phase: "answered" } : attempt;
}

export function isRight({ right }: Asked, { chosen }: Attempt): boolean {
  return right.length === chosen.size && right.every((index) => chosen.has(index));
}

/** What the answer shows at a choice: `missed` is right but was not chosen. Empty before the answer. */
export function markOf({ right }: Asked, { chosen, phase }: Attempt, index: number): Mark {
  if (phase === "asking") return "";
  if (right.includes(index)) return chosen.has(index) ? "right" : "missed";
  return chosen.has(index) ? "wrong" : "";
}

/** The choice that each tile of a hand stands for; null if the choices are not the tiles of the hand. */
export function choicesInHand(tiles: readonly Tile[], choices: readonly { tile: string }[]): number[] | null {
  const found = tiles.map((tile) => {
    const same = choices.findIndex((choice) => choice.tile === tile);
    return same >= 0 ? same : choices.findIndex((choice) => choice.tile && kindOf(choice.tile) === kindOf(tile));
  });
  return found.length && found.every((index) => index >= 0) ? found : null;
}
