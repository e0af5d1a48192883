// Every text a user reads: one table of words, loaded for the chosen language.
import type { Key } from "$generated/keys";
import { inAgreement } from "./agreement";

export type Language = "en" | "ja" | "ko";
export const LANGUAGES: readonly Language[] = ["ko", "ja", "en"];
export const OWN_NAMES: Readonly<Record<Language, string>> = { ko: "한국어", ja: "日本語", en: "English" };

const files = import.meta.glob<{ default: Record<string, string> }>("../generated/words/*.json");
/** The bundles that are loaded or on their way: `shared`, and one for each feature whose pages were opened. */
const bundles: Record<string, Promise<void>> = { shared: Promise.resolve() };

const words = $state<{ language: Language; table: Record<string, string>; spoken: boolean }>({
  language: "en",
  table: {},
  spoken: false,
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
  if (!file) throw new Error(`no words ${bundle}`);
  return (await file()).default;
}

export async function speak(chosen: Language): Promise<void> {
  let loaded: Record<string, string>[] = [];
  while (loaded.length < Object.keys(bundles).length)
    loaded = await Promise.all(Object.keys(bundles).map((bundle) => load(bundle, chosen)));
  words.table = Object.assign({}, ...loaded) as Record<string, string>;
  words.language = chosen;
  words.spoken = true;
  document.documentElement.lang = chosen;
}

/** Load a bundle; before the language is known, `speak` does it. */
export function loadWords(bundle: string): Promise<void> {
  const chosen = words.language;
  const add = async (): Promise<void> => {
    const loaded = await load(bundle, chosen);
    if (words.language === chosen) addWords(loaded);
  };
  const loading = (bundles[bundle] ??= words.spoken ? add() : Promise.resolve());
  loading.catch(() => delete bundles[bundle]); // it may be asked for again
  return loading;
}

/** Add texts that only this server knows, such as the names of its local yaku. */
export function addWords(more: Record<string, string>): void {
  words.table = { ...words.table, ...more };
}

/** A page that lacks words would show keys: the tests in the browser fail at the first error. */
function lacking(key: Key): string {
  console.error(`no words for ${key}`);
  return key;
}

/** A value inside a text; a number below zero has the sign that numbers have. */
function said(value: string | number): string {
  return typeof value === "number" && value < 0 ? String(value).replace("-", "−") : String(value);
}

export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text = words.table[key] ?? lacking(key);
  return inAgreement(text, (template) =>
    template.replace(/\{(\w+)\}/g, (whole, name: string) => said(values[name] ?? whole)),
  );
}

/** What has a text in each of several languages, in that of the page, else in English, else in any. */
export function nameIn(names: Readonly<Record<string, string>>): string {
  return names[words.language] ?? names["en"] ?? Object.values(names)[0] ?? "";
}

/** Several things in one line, separated as the language does it. */
export function listed(items: readonly (string | number | undefined)[]): string {
  return items.join(t("explain.separator"));
}

/** The parts that are not empty, in one line. */
export function dotted(...parts: readonly (string | number | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(" · ");
}

/** A text whose key is built from data; `fallback` if the table lacks it. */
export function maybe(key: string, fallback: string): string {
  return words.table[key] ?? fallback;
}

/** A number as the language writes it, with a true minus sign. */
export function formatted(value: number, shape: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(words.language, shape).format(value).replace("-", "−");
}

export function number(value: number): string {
  return formatted(value);
}

const LONG = 9;

/** Whether a number is too long for the places of usual points, as under rules without limits. */
export function isLong(shown: string): boolean {
  return shown.length > LONG;
}

/** A long number that may go on in the next line after its separators. */
export function breakable(shown: string): string {
  return isLong(shown) ? shown.replaceAll(",", ",\u200b") : shown;
}

export function signed(value: number): string {
  return formatted(value, { signDisplay: "exceptZero" });
}

export function signClass(value: number): "plus" | "minus" | "" {
  return value > 0 ? "plus" : value < 0 ? "minus" : "";
}

/** The final points of a game in the usual form: thousands with one decimal. */
export function total(points: number): string {
  const shown = { signDisplay: "exceptZero", minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
  return formatted(points / 1000, shown);
}

/** A moment as the language writes it; the English is British, as the spelling is. */
export function dated(iso: string, shape: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(words.language === "en" ? "en-GB" : words.language, shape).format(new Date(iso));
}

export function date(iso: string): string {
  return dated(iso, { dateStyle: "medium", timeStyle: "short" });
}

const WIDE_LETTER = /[\u1100-\uffff]/u; // of Korean, Japanese and Chinese

/** How wide words in one line are, in heights of their letters. */
export function widthOf(words: string): number {
  return [...words].reduce((sum, letter) => sum + (WIDE_LETTER.test(letter) ? 1 : 0.68), 0);
}
