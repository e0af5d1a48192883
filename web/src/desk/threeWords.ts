// A text in up to three languages.
import type { Language } from "../lib/words.svelte";

export type ThreeWords = Record<Language, string>;
type Words = { [name: string]: string } | null | undefined;

/** The text in each language, empty where there is none. */
export function wordsOf(words: Words): ThreeWords {
  return { ko: words?.["ko"] ?? "", ja: words?.["ja"] ?? "", en: words?.["en"] ?? "" };
}

/** The languages that have a text; `null` if none has. */
export function tidyWords(words: ThreeWords): { [name: string]: string } | null {
  const filled = Object.entries(words).map(([language, text]) => [language, text.trim()] as const).filter(([, text]) => text);
  return filled.length ? Object.fromEntries(filled) : null;
}

/** The text in a language, else in another that has one, else the fallback. */
export function inLanguage(words: Words, language: Language, fallback = ""): string {
  if (!words) return fallback;
  return words[language] ?? words["en"] ?? Object.values(words)[0] ?? fallback;
}
