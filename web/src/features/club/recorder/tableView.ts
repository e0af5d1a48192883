// How this phone shows a table.
import { keep, kept } from "$data/deviceStorage";

/** The sheet over the table. */
export type Open =
  "" | "win" | "draw" | "foul" | "hands" | "hand" | "history" | "queue" | "menu" | "end" | "points" | "others";
export type Show = (open: Open) => void;

export interface View {
  /** The seat below; null for one's own. */
  nearest: number | null;
  /** Whether each plate faces its player. */
  turned: boolean;
}

const KEY = "jantaku.recorder.view";

export function chosenView(): View {
  return { nearest: null, turned: false, ...(kept(KEY) as Partial<View> | null) };
}

export function keepView(view: View): View {
  keep(KEY, view);
  return view;
}
