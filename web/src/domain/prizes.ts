// What counts in a game beside its points: chips and yakitori.
import { signed } from "./words.svelte";

const KEPT = "\u00a0"; // a name and its number stay on one line

/** What each seat gets or gives: "Kim +2 · Lee −2"; empty if nothing moves. */
export function moved(counts: readonly number[], names: readonly string[]): string {
  return counts.flatMap((count, seat) => (count ? [`${names[seat] ?? ""}${KEPT}${signed(count)}`] : [])).join(" · ");
}
