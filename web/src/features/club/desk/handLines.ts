// A hand in words, one line for each thing to say.
import { handInWords } from "../event/handInWords";
import { handIn } from "$domain/enteredHand";

/** The lines of a hand as it was entered: its end and each win, what belongs to them, then riichi and fouls. */
export function handLines(
  hand: { [field: string]: unknown } | null,
  names: readonly string[],
  winners?: readonly number[],
): string[] {
  if (!hand) return [];
  const { lines, notes } = handInWords(handIn(hand), names, winners);
  return [
    ...lines.flatMap((line) => [line.worth ? `${line.text}: ${line.worth}` : line.text, ...line.notes]),
    ...notes,
  ];
}
