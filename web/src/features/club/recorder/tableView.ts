import { keep, kept } from "$data/deviceStorage";

export type Open =
  "" | "win" | "draw" | "foul" | "hands" | "hand" | "history" | "queue" | "menu" | "end" | "points" | "others";
export type Show = (open: Open) => void;

export interface View {
  /** The seat below; null for one's own. */
  nearest: number | null;
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
