// Rules being edited: a preset and the differences from it; also as a rules file.
export type Words = Readonly<Record<string, string>>;
export type Tree = Readonly<Record<string, unknown>>;
export type Changes = ReadonlyMap<string, unknown>;

export interface Draft {
  parent: string;
  name: Words;
  about: Words;
  /** The options that differ, by path. */
  changes: Changes;
}

export function valueAt(tree: Tree, path: string): unknown {
  return path.split(".").reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], tree);
}

/** Whether two values are equal, whatever the order of their keys. */
export function same(one: unknown, other: unknown): boolean {
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
  if (same(value, valueAt(base, path))) next.delete(path);
  else next.set(path, value);
  return next;
}

/** The differences of a whole ruleset from its parent preset. */
export function draftOf(tree: Tree, base: Tree, parent: string): Draft {
  const paths = Object.entries(tree)
    .filter(([section]) => section !== "name" && section !== "about")
    .flatMap(([section, options]) => pathsOf(section, options as Tree));
  return {
    parent,
    name: ownWords(tree["name"], base["name"]),
    about: ownWords(tree["about"], base["about"]),
    changes: paths.reduce<Changes>((found, path) => changed(found, base, path, valueAt(tree, path)), new Map()),
  };
}

function pathsOf(section: string, options: Tree): string[] {
  return Object.entries(options).flatMap(([name, settings]) =>
    section === "yaku" ? Object.keys(settings as Tree).map((setting) => `yaku.${name}.${setting}`) : [`${section}.${name}`],
  );
}

function ownWords(words: unknown, parents: unknown): Words {
  return same(words, parents) ? {} : ((words ?? {}) as Words);
}

/** The same changes over another preset. */
export function rebased(draft: Draft, base: Tree, parent: string): Draft {
  const entries = [...draft.changes].filter(([path, value]) => !same(value, valueAt(base, path)));
  return { ...draft, parent, changes: new Map(entries) };
}

/** The words with those of one language set, or removed if they are empty. */
export function worded(words: Words, language: string, text: string): Words {
  const others = Object.entries(words).filter(([code]) => code !== language);
  return Object.fromEntries(text.trim() ? [...others, [language, text]] : others);
}

/** A value as TOML. */
export function tomlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlOf).join(", ")}]`;
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "object" && value !== null) {
    const parts = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)} = ${tomlOf(inner)}`);
    return parts.length ? `{ ${parts.join(", ")} }` : "{}";
  }
  return String(value);
}

/** The draft as a rules file: its parent, its words, and each changed option under its path. */
export function fileOf(draft: Draft): string {
  const tables = new Map<string, string[]>();
  for (const [path, value] of draft.changes) {
    const at = path.lastIndexOf(".");
    const table = path.slice(0, at);
    tables.set(table, [...(tables.get(table) ?? []), `${path.slice(at + 1)} = ${tomlOf(value)}`]);
  }
  const head = [`extends = ${tomlOf(draft.parent)}`];
  for (const part of ["name", "about"] as const) {
    const words = Object.entries(draft[part]).map(([code, text]) => [code, text.trim()]);
    if (words.length) head.push(`${part} = ${tomlOf(Object.fromEntries(words))}`);
  }
  const body = [...tables].sort(([a], [b]) => a.localeCompare(b)).map(([table, lines]) => `[${table}]\n${lines.join("\n")}`);
  return `${[head.join("\n"), ...body].join("\n\n")}\n`;
}

/** A file name: the name of the rules, as far as file systems allow it. */
export function fileName(draft: Draft): string {
  const name = Object.values(draft.name)[0] ?? "rules";
  return `${name.trim().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "rules"}.toml`;
}
