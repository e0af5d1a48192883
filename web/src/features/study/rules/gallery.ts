import type { GalleryItem } from "$generated/wire";
import type { Editor } from "./editorState.svelte";
import { sameValue } from "./rulesDraft";

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
