// The pages, each loaded when it is opened.
import { loadWords } from "./lib/words.svelte";
import { ALONE, LOST, NESTED, PAGES, WHOLE } from "./pageAddresses";

export interface Page {
  load: () => Promise<{ default: unknown }>;
  /** Whether it uses the whole screen. */
  whole: boolean;
  /** What the page is about; it is opened anew when this changes. */
  key: string;
  /** Whether it works without the server. */
  alone: boolean;
}

const files = import.meta.glob<{ default: unknown }>("./pages/*.svelte");

/** The parts of a path; one that is wrongly encoded stays as it is. */
export function partsOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
}

export function pageOf(path: string): Page {
  const parts = partsOf(path).filter(Boolean);
  const name = PAGES.get(parts[0] ?? "") ?? LOST;
  const file = files[`./pages/${name}.svelte`];
  if (!file) throw new Error(`no page ${name}`);
  const load = async (): Promise<{ default: unknown }> => (await Promise.all([file(), loadWords(name)]))[0];
  const key = NESTED.has(name) ? parts.slice(0, 2).join("/") : path;
  return { load, whole: parts.length >= (WHOLE.get(name) ?? Infinity), key, alone: ALONE.has(name) };
}
