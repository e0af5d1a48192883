// A hand in words, one line for each thing to say.
import { handInWords, type EnteredHand } from "../event/hands";

/** The lines of a hand as it was entered: its end and each win, what belongs to them, then riichi and fouls. */
export function handLines(hand: { [field: string]: unknown } | null, names: readonly string[]): string[] {
  if (!hand) return [];
  const { lines, notes } = handInWords(hand as unknown as EnteredHand, names);
  return [...lines.flatMap((line) => [line.worth ? `${line.text}: ${line.worth}` : line.text, ...line.notes]), ...notes];
}
