// Confirmation before actions that are hard to undo. The sheet is loaded in advance, but only on pages that use it.
import { askQuestion as confirm } from "./question.svelte";

import("./ConfirmSheet.svelte").catch(() => undefined);
export type { Question } from "./question.svelte";
export { confirm };
