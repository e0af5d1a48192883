// The option table as the server's JSON Schema gives it, and a rules file written from what was changed.
export interface OptionPart {
  title?: string;
  description?: string;
  type?: string;
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  items?: { type?: string; enum?: string[] };
  propertyNames?: { pattern?: string };
}

export interface Option {
  path: string;
  label: string;
  about: string;
  part: OptionPart;
}

export interface OptionSection {
  id: string;
  label: string;
  about: string;
  options: Option[];
}

interface SchemaObject extends OptionPart {
  properties?: Record<string, SchemaObject>;
}

const NOT_OPTIONS = new Set(["extends", "name", "about", "local", "yaku"]);
// What every yaku has, and the limits it may be worth besides han
export const LIMITS = ["mangan", "haneman", "baiman", "sanbaiman", "yakuman", "double_yakuman"];

export function sectionsOf(schema: Record<string, unknown>): OptionSection[] {
  const properties = schema["properties"] as Record<string, SchemaObject>;
  return Object.entries(properties)
    .filter(([id]) => !NOT_OPTIONS.has(id))
    .map(([id, section]) => ({
      id,
      label: section.title ?? id,
      about: section.description ?? "",
      options: Object.entries(section.properties ?? {}).map(([name, part]) => ({
        path: `${id}.${name}`,
        label: part.title ?? name,
        about: part.description ?? "",
        part,
      })),
    }));
}

/** The yaku of the schema: id and name. */
export function yakuOf(schema: Record<string, unknown>): { id: string; name: string; about: string }[] {
  const properties = schema["properties"] as Record<string, SchemaObject>;
  const yaku = properties["yaku"]?.properties ?? {};
  return Object.entries(yaku).map(([id, part]) => ({ id, name: part.title ?? id, about: part.description ?? "" }));
}

/** How an option is edited. */
export type Kind = "switch" | "choice" | "number" | "numbers" | "tiles" | "text";

export function kindOf(part: OptionPart): Kind {
  if (part.enum) return "choice";
  if (part.type === "boolean") return "switch";
  if (part.type === "integer") return "number";
  if (part.propertyNames?.pattern?.includes("mps")) return "tiles";
  if (part.type === "array" && part.items?.type === "integer") return "numbers";
  return "text";
}

export function valueAt(tree: Record<string, unknown>, path: string): unknown {
  return path.split(".").reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], tree);
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

/** A rules file: its parent, its name, and each changed option under its path. */
export function fileOf(parent: string, name: string, language: string, changes: ReadonlyMap<string, unknown>): string {
  const tables = new Map<string, string[]>();
  for (const [path, value] of changes) {
    const at = path.lastIndexOf(".");
    const table = path.slice(0, at);
    tables.set(table, [...(tables.get(table) ?? []), `${path.slice(at + 1)} = ${tomlOf(value)}`]);
  }
  const head = [`extends = ${tomlOf(parent)}`];
  const named = name ? [`[name]\n${language} = ${tomlOf(name)}`] : [];
  const body = [...tables].sort(([a], [b]) => a.localeCompare(b)).map(([table, lines]) => `[${table}]\n${lines.join("\n")}`);
  return `${[...head, ...named, ...body].join("\n\n")}\n`;
}
