// What counts in a game beside its points: chips and yakitori.
import { signed } from "../lib/words.svelte";

/** What each seat gets or gives: "Kim +2 · Lee −2"; empty if nothing moves. */
export function moved(counts: readonly number[], names: readonly string[]): string {
  return counts.flatMap((count, seat) => (count ? [`${names[seat] ?? ""} ${signed(count)}`] : [])).join(" · ");
}
