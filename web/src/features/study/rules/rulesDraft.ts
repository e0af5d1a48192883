// Rules being edited: the options, the differences from a preset and their file, gallery parts, and custom yaku.
import { stringify } from "smol-toml";
import type { GalleryItem, RulesSchema, SchemaPart } from "$generated/wire";
import type { Editor } from "./editorState.svelte";
import { sorted, textOf, type Tile } from "$domain/tiles/notation";

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

interface Described {
  label: string;
  about: string;
}
/** An option, or a yaku with its settings under its path. */
export interface Option extends Described {
  path: string;
  part: SchemaPart;
}
export interface OptionSection extends Described {
  id: string;
  options: Option[];
}

const NO_SECTIONS = new Set(["extends", "name", "about"]);

/** The sections of a rules file with their options; the yaku are last. */
export function sectionsOf(schema: RulesSchema): OptionSection[] {
  const described = (name: string, part: SchemaPart): Described => ({
    label: part.title ?? name,
    about: part.description ?? "",
  });
  return Object.entries(schema.properties)
    .filter(([id]) => !NO_SECTIONS.has(id))
    .map(([id, section]) => ({
      id,
      ...described(id, section),
      options: Object.entries(section.properties ?? {}).map(([name, part]) => ({
        path: `${id}.${name}`,
        ...described(name, part),
        part,
      })),
    }));
}

/** The kind of input for an option; `row` and `grid` are numbers in columns, `counts` maps numbers to numbers. */
export type Kind = "switch" | "choice" | "number" | "choice_or_number" | "row" | "grid" | "counts" | "tiles" | "set";

export function kindOf(part: SchemaPart): Kind {
  if (part.enum) return "choice";
  if (part.anyOf?.some((each) => each.enum) && part.anyOf.some((each) => each.type === "integer"))
    return "choice_or_number";
  if (part.type === "boolean") return "switch";
  if (part.type === "integer") return "number";
  if (part.items?.enum) return "set";
  if (part.items) return part.items.type === "integer" ? "row" : "grid";
  return part.propertyNames?.pattern?.includes("mps") ? "tiles" : "counts";
}

export function choicesOf(part: SchemaPart): (string | number)[] {
  return part.enum ?? part.anyOf?.flatMap((each) => each.enum ?? []) ?? [];
}

export function numberIn(part: SchemaPart): SchemaPart {
  return part.anyOf?.find((each) => each.type === "integer") ?? part;
}

/** Parse a number being typed; an unfinished one stays text, which the server rejects. */
export function numberOf(text: string): number | string {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? text : value;
}

export function matches(search: string, ...names: string[]): boolean {
  const wanted = search.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);
  const text = names.join(" ").normalize("NFKC").toLowerCase();
  return wanted.every((word) => text.includes(word));
}

type Part = Pick<GalleryItem, "id" | "kind" | "changes">;

export type Rules = Pick<Editor, "valueOf" | "isChanged" | "change" | "reset">;

/** Whether the rules contain the part; the value of a yaku may differ. */
export function isIn(part: Part, rules: Rules): boolean {
  const needed = Object.entries(part.changes).filter(([path]) => part.kind === "house" || path.endsWith(".when"));
  return needed.every(([path, value]) => sameValue(value, rules.valueOf(path)));
}

/** Whether the rules contain the part but their preset does not. */
export function isAdded(part: Part, rules: Rules): boolean {
  return isIn(part, rules) && Object.keys(part.changes).some((path) => rules.isChanged(path));
}

export function addPart(part: Part, rules: Rules): void {
  for (const [path, value] of Object.entries(part.changes)) rules.change(path, value);
}

export function removePart(part: Part, rules: Rules): void {
  for (const path of part.kind === "yaku" ? [`yaku.${part.id}`] : Object.keys(part.changes)) rules.reset(path);
}

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
