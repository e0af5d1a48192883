// Own yaku in a draft: their settings, and conditions put together from parts.
import { newId } from "$data/newId";
import { sorted, textOf, type Tile } from "$domain/tiles/notation";
import type { Changes } from "./rulesDraft";

export const WHEN = "when";
const OWN = /^yaku\.([^.]+)\.when$/;

export type Joiner = "and" | "or";

/** The ids of the own yaku of a draft. */
export function ownIn(changes: Changes): string[] {
  return [...changes.keys()].flatMap((path) => OWN.exec(path)?.[1] ?? []).sort();
}

/** An id that no other rules are likely to have, so that names of several rulesets can be shown together. */
export function newOwnId(): string {
  return `own_${newId().slice(0, 8)}`;
}

export function joined(parts: readonly string[], joiner: Joiner): string {
  return parts.join(` ${joiner} `);
}

/** What stands in the brackets of a word: words for tiles, then tiles, each once or as often as they were chosen. */
export function someOf(words: readonly string[], tiles: readonly Tile[], once = true): string {
  const shown = once ? [...new Set(tiles)] : tiles;
  return [...words, ...(shown.length ? [`"${textOf(sorted(shown))}"`] : [])].join(", ");
}

/** The opposite of a part. */
export function denied(part: string): string {
  return `not ${/[ ]/.test(part) && !part.startsWith("(") ? `(${part})` : part}`;
}

/** The part of a word that is being written, up to the caret. */
export function wordAt(text: string, caret: number): string {
  return /[a-z][a-z0-9_]*$/.exec(text.slice(0, caret))?.[0] ?? "";
}

/** The text with the word before the caret completed, and where the caret stands then: inside new brackets. */
export function completed(text: string, caret: number, insert: string): { text: string; caret: number } {
  const begun = wordAt(text, caret);
  const before = text.slice(0, caret - begun.length) + insert;
  const inside = /\(""\)$/.test(insert) ? 2 : insert.endsWith("()") ? 1 : 0;
  return { text: before + text.slice(caret), caret: before.length - inside };
}

/** A text in three pieces: before a character, counted from 1, that character, and what follows. */
export function pointed(text: string, at: number): [string, string, string] {
  return [text.slice(0, at - 1), text.slice(at - 1, at) || " ", text.slice(at)];
}

/** Ready parts: runs and triplets that belong together. Their words are `editor.own.ready.<name>`. */
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
