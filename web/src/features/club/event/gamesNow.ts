// The games that are played now.
import type { RecordedSummary } from "$generated/wire";

const NATURAL = new Intl.Collator(undefined, { numeric: true });

/** Games in progress in the order of their tables' labels, "Table 2" before "Table 10"; those without a label last. */
export function playingNow(games: readonly RecordedSummary[]): RecordedSummary[] {
  const now = games.filter(({ status }) => status === "playing" || status === "over");
  return now.sort(
    (one, other) =>
      Number(!one.label) - Number(!other.label) || NATURAL.compare(one.label, other.label) || one.number - other.number,
  );
}
