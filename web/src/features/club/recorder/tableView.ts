// How this phone shows a table.
import { keep, kept } from "$data/deviceStorage";

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
