// Rules being edited: a preset and the differences from it; also as a rules file.
import { stringify } from "smol-toml";

export type Words = Readonly<Record<string, string>>;
export type Tree = Readonly<Record<string, unknown>>;
export type Changes = ReadonlyMap<string, unknown>;

export interface Draft {
  parent: string;
  /** The options that differ, by path, and the words of `name` and `about`. */
  changes: Changes;
}

const WORDS = ["name", "about"];

export function valueAt(tree: Tree, path: string): unknown {
  return path.split(".").reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], tree);
}

/** Whether two values are equal, whatever the order of their keys. */
export function sameValue(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The changes with one option set; no change if the preset has the same value. */
export function changed(changes: Changes, base: Tree, path: string, value: unknown): Changes {
  const next = new Map(changes);
  if (sameValue(value, valueAt(base, path))) next.delete(path);
  else next.set(path, value);
  return next;
}

/** The differences of a whole ruleset from its parent preset. */
export function draftOf(tree: Tree, base: Tree, parent: string): Draft {
  const paths = Object.entries(tree).flatMap(([section, options]) => pathsOf(section, options as Tree));
  return rebased({ parent, changes: new Map(paths.map((path) => [path, valueAt(tree, path)])) }, base, parent);
}

function pathsOf(section: string, options: Tree): string[] {
  if (WORDS.includes(section)) return Object.keys(options).length ? [section] : [];
  return Object.entries(options).flatMap(([name, settings]) =>
    section === "yaku"
      ? Object.keys(settings as Tree).map((setting) => `yaku.${name}.${setting}`)
      : [`${section}.${name}`],
  );
}

/** The same changes over another preset. */
export function rebased(draft: Draft, base: Tree, parent: string): Draft {
  return {
    parent,
    changes: new Map([...draft.changes].filter(([path, value]) => !sameValue(value, valueAt(base, path)))),
  };
}

/** The words with those of one language set, or removed if they are empty. */
export function worded(words: Words, language: string, text: string): Words {
  const others = Object.entries(words).filter(([code]) => code !== language);
  return Object.fromEntries(text.trim() ? [...others, [language, text.trim()]] : others);
}

/** The draft as a rules file: its parent, its words, and each changed option under its path. */
export function fileOf({ parent, changes }: Draft): string {
  const file: Record<string, unknown> = { extends: parent };
  const tableOf = (path: string): string => path.split(".").slice(0, -1).join(".");
  for (const [path, value] of [...changes].sort(([a], [b]) => tableOf(a).localeCompare(tableOf(b)))) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    const table = names.reduce((within, name) => (within[name] ??= {}) as typeof file, file);
    table[last] = value;
  }
  return stringify(file);
}

/** A file name: the name of the rules, as far as file systems allow it. */
export function fileName({ changes }: Draft): string {
  const [name = ""] = Object.values((changes.get("name") ?? {}) as Words);
  return `${name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "rules"}.toml`;
}

export const PLAYERS = "match.players";
export const UMA = "match.uma";
export const FLOATING_UMA = "match.floating_uma";

/** Uma for another number of places: the first and the last place keep theirs. */
export function umaFor(uma: readonly number[], players: number): number[] {
  if (uma.length === players) return [...uma];
  return Array.from({ length: players }, (_, place) =>
    place === 0 ? (uma[0] ?? 0) : place === players - 1 ? (uma.at(-1) ?? 0) : 0,
  );
}

/** How many point sticks of each value there are. */
export type Sticks = Readonly<Record<string, number>>;

const USUAL = [10_000, 5_000, 1_000, 500, 100, 10, 1];

export function totalOf(sticks: Sticks): number {
  return Object.entries(sticks).reduce((sum, [value, count]) => sum + Number(value) * count, 0);
}

/** The sticks nearest to `base` that add up to `points`: large sticks are added and removed first, small ones stay. */
export function sticksFor(points: number, base: Sticks): Sticks {
  const counts = new Map(Object.entries(base).map(([value, count]) => [Number(value), Number(count)]));
  let gap = points - totalOf(base);
  const move = (value: number, count: number): void => {
    counts.set(value, (counts.get(value) ?? 0) + count);
    gap -= value * count;
  };
  const own = [...counts.keys()].sort((a, b) => b - a);
  for (const value of own) if (gap < 0) move(value, -Math.min(counts.get(value) ?? 0, Math.floor(-gap / value)));
  const least = own.findLast((value) => (counts.get(value) ?? 0) > 0);
  if (gap < 0 && least) move(least, -1); // too large for the missing sum: broken into smaller ones
  for (const value of [...own, ...USUAL]) if (gap >= value) move(value, Math.floor(gap / value));
  return Object.fromEntries(
    [...counts].filter(([, count]) => count > 0).map(([value, count]) => [String(value), count]),
  );
}
