// Every text a user reads: one table of words, loaded for the chosen language.
import type { Key } from "../generated/keys";
import { withParticles } from "./particles";

export type Language = "en" | "ja" | "ko";
export const LANGUAGES: readonly Language[] = ["ko", "ja", "en"];

const loaders: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import("../generated/en.json"),
  ja: () => import("../generated/ja.json"),
  ko: () => import("../generated/ko.json"),
};

const guides: typeof loaders = {
  en: () => import("../generated/guide-en.json"),
  ja: () => import("../generated/guide-ja.json"),
  ko: () => import("../generated/guide-ko.json"),
};
let guided = false;

const words = $state<{ language: Language; table: Record<string, string> }>({ language: "en", table: {} });

export function language(): Language {
  return words.language;
}

/** The language of the browser; English if we do not have it. */
export function preferred(): Language {
  const codes = navigator.languages.map((code) => code.slice(0, 2));
  return (codes.find((code) => code in loaders) as Language | undefined) ?? "en";
}

export async function speak(chosen: Language): Promise<void> {
  const [loaded, guide] = await Promise.all([loaders[chosen](), guided ? guides[chosen]() : null]);
  words.table = { ...loaded.default, ...guide?.default };
  words.language = chosen;
  document.documentElement.lang = chosen;
}

/** Load the texts of the pages for people who are new here; the other pages do without them. */
export async function loadGuide(): Promise<void> {
  if (guided) return;
  addWords((await guides[words.language]()).default);
  guided = true;
}

/** Add texts that only this server knows, such as the names of its local yaku. */
export function addWords(found: Record<string, string>): void {
  words.table = { ...words.table, ...found };
}

/** The text of a key with its placeholders filled in. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text = words.table[key] ?? key;
  return withParticles(text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)));
}

/** Several things in one line, separated as the language does it. */
export function listed(items: readonly (string | number | undefined)[]): string {
  return items.join(t("explain.separator"));
}

/** A text whose key is built from data; `fallback` if the table lacks it. */
export function maybe(key: string, fallback: string): string {
  return words.table[key] ?? fallback;
}

/** A number as the language writes it, with a true minus sign. */
export function shaped(value: number, shape: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(words.language, shape).format(value).replace("-", "−");
}

export function number(value: number): string {
  return shaped(value);
}

/** A payment inside a split, which Japanese writes without separators. */
export function payment(value: number): string {
  return words.language === "ja" ? String(value) : number(value);
}

/** A number with its sign. */
export function signed(value: number): string {
  return shaped(value, { signDisplay: "exceptZero" });
}

/** The final points of a game in the usual form: thousands with one decimal. */
export function total(points: number): string {
  const shown = { signDisplay: "exceptZero", minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
  return shaped(points / 1000, shown);
}

/** A moment as the language writes it; the English is British, as the spelling is. */
export function dated(iso: string, shape: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(words.language === "en" ? "en-GB" : words.language, shape).format(new Date(iso));
}

export function date(iso: string): string {
  return dated(iso, { dateStyle: "medium", timeStyle: "short" });
}
