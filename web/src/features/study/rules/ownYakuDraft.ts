// Conditions of custom yaku, built from parts.
import { sorted, textOf, type Tile } from "$domain/tiles/notation";

/** The arguments of a word: words for tiles, then the tiles, without duplicates if `once`. */
export function argumentsOf(words: readonly string[], tiles: readonly Tile[], once = true): string {
  const listed = once ? [...new Set(tiles)] : tiles;
  return [...words, ...(listed.length ? [`"${textOf(sorted(listed))}"`] : [])].join(", ");
}

/** The negation of a part. */
export function negated(part: string): string {
  return `not ${/[ ]/.test(part) && !part.startsWith("(") ? `(${part})` : part}`;
}

/** Predefined parts for runs and triplets. Their texts are `editor.own.runs.<name>` and `editor.own.triplets.<name>`. */
export const READY = {
  runs: {
    twins: "run(n, x) >= 2",
    triplets: "run(n, x) >= 3",
    three_suits: "run(n, x) and run(n, y) and run(n, z)",
    stairs: "run(n, x) and run(n + 1, x) and run(n + 2, x)",
    chain: "run(n, x) and run(n + 2, x)",
    straight: "run(1, x) and run(4, x) and run(7, x)",
    mixed_straight: "run(1, x) and run(4, y) and run(7, z)",
    mirror: "run(n, x) >= 2 and run(k, y) >= 2",
    no_runs: "runs == 0",
  },
  triplets: {
    two_suits: "triplet(n, x) and triplet(n, y)",
    three_suits: "triplet(n, x) and triplet(n, y) and triplet(n, z)",
    in_a_row: "triplet(n, x) and triplet(n + 1, x)",
    three_in_a_row: "triplet(n, x) and triplet(n + 1, x) and triplet(n + 2, x)",
    three: "triplets >= 3",
    concealed: "concealed_triplets >= 3",
    kan: "kans >= 1",
    two_kans: "kans >= 2",
    no_triplets: "triplets == 0",
  },
} as const;
