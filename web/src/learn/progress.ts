// How far a learner has come, kept on this device.
import type { Action } from "../table/choices";

export interface Progress {
  /** Which of the cards before the table is open; null at the table. */
  card: number | null;
  moves: Action[];
}

const KEY = "jantaku.first";
export const NEW: Progress = { card: 0, moves: [] };

export function storedProgress(): Progress {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Progress> | null;
    if (!stored || !Array.isArray(stored.moves)) return NEW;
    return { card: typeof stored.card === "number" ? stored.card : null, moves: stored.moves };
  } catch {
    return NEW;
  }
}

export function storeProgress(now: Progress): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // Private windows may refuse storage; the lesson then lasts as long as the page
  }
}
