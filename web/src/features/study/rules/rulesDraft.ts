// Rules being edited: a preset and the differences from it, and their rules file.
import { stringify } from "smol-toml";

export type Words = Readonly<Record<string, string>>;
export type Tree = Readonly<Record<string, unknown>>;
export type Changes = ReadonlyMap<string, unknown>;

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

/** Set one option in the changes, or remove it if the preset has the same value. */
export function changed(changes: Changes, base: Tree, path: string, value: unknown): Changes {
  const next = new Map(changes);
  if (sameValue(value, valueAt(base, path))) next.delete(path);
  else next.set(path, value);
  return next;
}

/** The options in which complete rules differ from their parent preset. */
export function changesFrom(tree: Tree, base: Tree): Changes {
  const paths = Object.entries(tree).flatMap(([section, options]) => pathsOf(section, options as Tree));
  return rebased(new Map(paths.map((path) => [path, valueAt(tree, path)])), base);
}

function pathsOf(section: string, options: Tree): string[] {
  if (WORDS.includes(section)) return Object.keys(options).length ? [section] : [];
  return Object.entries(options).flatMap(([name, settings]) =>
    section === "yaku"
      ? Object.keys(settings as Tree).map((setting) => `yaku.${name}.${setting}`)
      : [`${section}.${name}`],
  );
}

export function rebased(changes: Changes, base: Tree): Changes {
  return new Map([...changes].filter(([path, value]) => !sameValue(value, valueAt(base, path))));
}

/** The rules file: the parent, the texts, and each changed option under its path. */
export function fileOf(parent: string, changes: Changes): string {
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

/** A file name from the name of the rules, without special characters. */
export function fileName(changes: Changes): string {
  const [name = ""] = Object.values((changes.get("name") ?? {}) as Words);
  return `${name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "rules"}.toml`;
}
