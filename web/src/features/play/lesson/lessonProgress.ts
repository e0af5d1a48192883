// How far a learner has come, kept on this device.
import { keep, kept } from "$data/deviceStorage";
import type { Action } from "$domain/game/choices";

export interface Progress {
  /** Which of the cards before the table is open; null at the table. */
  card: number | null;
  moves: Action[];
}

const KEY = "jantaku.first";
export const NEW: Progress = { card: 0, moves: [] };

export function storedProgress(): Progress {
  const stored = kept(KEY) as Partial<Progress> | null;
  if (!stored || !Array.isArray(stored.moves)) return NEW;
  return { card: typeof stored.card === "number" ? stored.card : null, moves: stored.moves };
}

export function storeProgress(now: Progress): void {
  keep(KEY, now);
}
