// Prizes besides points: chips and yakitori.
import { signed } from "./words.svelte";

const NO_BREAK = "\u00a0"; // between a name and its number

/** The gains and losses by name: "Kim +2 · Lee −2"; empty if nothing moves. */
export function moved(counts: readonly number[], names: readonly string[]): string {
  return counts
    .flatMap((count, seat) => (count ? [`${names[seat] ?? ""}${NO_BREAK}${signed(count)}`] : []))
    .join(" · ");
}
