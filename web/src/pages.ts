// The pages by the first part of their path; each is loaded when it is opened.
export interface Page {
  load: () => Promise<{ default: unknown }>;
  /** Whether it has the screen for itself. */
  whole?: boolean;
}

const PAGES: Record<string, Page> = {
  "": { load: () => import("./pages/Lobby.svelte") },
  new: { load: () => import("./pages/NewTable.svelte") },
  t: { load: () => import("./pages/Table.svelte"), whole: true },
  g: { load: () => import("./pages/Replay.svelte"), whole: true },
  u: { load: () => import("./pages/Replay.svelte"), whole: true },
  games: { load: () => import("./pages/Games.svelte") },
  calc: { load: () => import("./pages/Calculator.svelte") },
  drill: { load: () => import("./pages/Drill.svelte") },
  rules: { load: () => import("./pages/Rules.svelte") },
  edit: { load: () => import("./pages/RulesEditor.svelte") },
  settings: { load: () => import("./pages/Settings.svelte") },
  enter: { load: () => import("./pages/Enter.svelte") },
};
const LOST: Page = { load: () => import("./pages/Lost.svelte") };

/** The parts of a path. */
export function partsOf(path: string): string[] {
  return path.split("/").slice(1);
}

export function pageOf(path: string): Page {
  return PAGES[partsOf(path)[0] ?? ""] ?? LOST;
}
