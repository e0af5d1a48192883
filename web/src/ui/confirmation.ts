// Asks before something that cannot simply be undone. The sheet loads with the pages that may ask, not with the first.
import { askQuestion as confirm } from "./question.svelte";

import("./ConfirmSheet.svelte").catch(() => undefined);
export type { Question } from "./question.svelte";
export { confirm };
