// The editor's options from the server's JSON Schema: sections, the kind of each option, and the search.
import type { RulesSchema, SchemaPart } from "$generated/wire";

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

const WORDS = new Set(["extends", "name", "about"]);

/** The sections of a rules file with their options; the yaku are last. */
export function sectionsOf(schema: RulesSchema): OptionSection[] {
  const described = (name: string, part: SchemaPart): Described => ({
    label: part.title ?? name,
    about: part.description ?? "",
  });
  return Object.entries(schema.properties)
    .filter(([id]) => !WORDS.has(id))
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
