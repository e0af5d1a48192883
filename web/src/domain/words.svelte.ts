// All texts of the interface, loaded for the chosen language.
import type { Key } from "$generated/keys";
import { inflect } from "./agreement";

export type Language = "en" | "ja" | "ko";
export const LANGUAGES: readonly Language[] = ["ko", "ja", "en"];
export const OWN_NAMES: Readonly<Record<Language, string>> = { ko: "한국어", ja: "日本語", en: "English" };

const files = import.meta.glob<{ default: Record<string, string> }>("../generated/words/*.json");
/** The bundles loaded or being loaded: `shared`, and one for each feature that was opened. */
const bundles: Record<string, Promise<void>> = { shared: Promise.resolve() };

const words = $state<{ language: Language; table: Record<string, string>; ready: boolean }>({
  language: "en",
  table: {},
  ready: false,
});

export function language(): Language {
  return words.language;
}

export function preferred(): Language {
  const codes = navigator.languages.map((code) => code.slice(0, 2));
  return (codes.find((code) => (LANGUAGES as readonly string[]).includes(code)) as Language | undefined) ?? "en";
}

async function load(bundle: string, chosen: Language): Promise<Record<string, string>> {
  const file = files[`../generated/words/${bundle}-${chosen}.json`];
  if (!file) throw new Error(`no text bundle ${bundle}`);
  return (await file()).default;
}

export async function setLanguage(chosen: Language): Promise<void> {
  let loaded: Record<string, string>[] = [];
  while (loaded.length < Object.keys(bundles).length)
    loaded = await Promise.all(Object.keys(bundles).map((bundle) => load(bundle, chosen)));
  words.table = Object.assign({}, ...loaded) as Record<string, string>;
  words.language = chosen;
  words.ready = true;
  document.documentElement.lang = chosen;
}

/** Load a text bundle; before the language is known, `setLanguage` loads it. */
export function loadWords(bundle: string): Promise<void> {
  const chosen = words.language;
  const add = async (): Promise<void> => {
    const loaded = await load(bundle, chosen);
    if (words.language === chosen) addWords(loaded);
  };
  const loading = (bundles[bundle] ??= words.ready ? add() : Promise.resolve());
  loading.catch(() => delete bundles[bundle]); // allow another attempt
  return loading;
}

/** Add texts that only this server has, such as the names of its local yaku. */
export function addWords(more: Record<string, string>): void {
  words.table = { ...words.table, ...more };
}

/** Log an error, which fails the browser tests, and show the key. */
function missing(key: Key): string {
  console.error(`no text for ${key}`);
  return key;
}

/** Format an inserted value; negative numbers get a true minus sign. */
function inserted(value: string | number): string {
  return typeof value === "number" && value < 0 ? String(value).replace("-", "−") : String(value);
}

export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text = words.table[key] ?? missing(key);
  return inflect(text, (template) =>
    template.replace(/\{(\w+)\}/g, (whole, name: string) => inserted(values[name] ?? whole)),
  );
}

/** Choose a name in the page's language, in English, or in any language. */
export function nameIn(names: Readonly<Record<string, string>>): string {
  return names[words.language] ?? names["en"] ?? Object.values(names)[0] ?? "";
}

/** Join items with the separator of the language. */
export function listed(items: readonly (string | number | undefined)[]): string {
  return items.join(t("explain.separator"));
}

/** Join the non-empty parts with dots. */
export function dotted(...parts: readonly (string | number | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(" · ");
}

/** A text with a key built from data; `fallback` if there is none. */
export function maybe(key: string, fallback: string): string {
  return words.table[key] ?? fallback;
}

/** Format a number for the language, with a true minus sign. */
export function formatted(value: number, shape: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(words.language, shape).format(value).replace("-", "−");
}

export function number(value: number): string {
  return formatted(value);
}

const LONG = 9;

/** Whether a number is too long for the usual layout, as under rules without limits. */
export function isLong(shown: string): boolean {
  return shown.length > LONG;
}

/** Allow line breaks after the separators of a long number. */
export function breakable(shown: string): string {
  return isLong(shown) ? shown.replaceAll(",", ",\u200b") : shown;
}

export function signed(value: number): string {
  return formatted(value, { signDisplay: "exceptZero" });
}

export function signClass(value: number): "plus" | "minus" | "" {
  return value > 0 ? "plus" : value < 0 ? "minus" : "";
}

/** Format the final points of a game: signed thousands with one decimal. */
export function total(points: number): string {
  const shown = { signDisplay: "exceptZero", minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
  return formatted(points / 1000, shown);
}

/** Format a time for the language; English is British. */
export function dated(iso: string, shape: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(words.language === "en" ? "en-GB" : words.language, shape).format(new Date(iso));
}

export function date(iso: string): string {
  return dated(iso, { dateStyle: "medium", timeStyle: "short" });
}

/** Format a date without a time, such as `2026-11-30`. */
export function calendarDate(iso: string): string {
  return dated(`${iso}T12:00`, { dateStyle: "medium" });
}

const WIDE_LETTER = /[\u1100-\uffff]/u; // hangul, kana and kanji

/** Estimate the width of a line of text, in em. */
export function widthOf(words: string): number {
  return [...words].reduce((sum, letter) => sum + (WIDE_LETTER.test(letter) ? 1 : 0.68), 0);
}
