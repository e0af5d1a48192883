// The pages, each loaded when it is opened.
import { LOST, PAGES, WHOLE } from "./names";

export interface Page {
  load: () => Promise<{ default: unknown }>;
  /** Whether it uses the whole screen. */
  whole: boolean;
}

const files = import.meta.glob<{ default: unknown }>("./pages/*.svelte");

/** The parts of a path. */
export function partsOf(path: string): string[] {
  return path.split("/").slice(1);
}

export function pageOf(path: string): Page {
  const name = PAGES[partsOf(path)[0] ?? ""] ?? LOST;
  const load = files[`./pages/${name}.svelte`];
  if (!load) throw new Error(`no page ${name}`);
  return { load, whole: WHOLE.has(name) };
}
