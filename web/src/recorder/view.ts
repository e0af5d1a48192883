// How this phone shows a table.
export interface View {
  /** The seat below; null for one's own. */
  nearest: number | null;
  /** Whether each plate faces its player. */
  turned: boolean;
}

const KEY = "jantaku.recorder.view";

export function chosenView(): View {
  try {
    return { nearest: null, turned: false, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<View>) };
  } catch {
    return { nearest: null, turned: false };
  }
}

export function keepView(view: View): View {
  try {
    localStorage.setItem(KEY, JSON.stringify(view));
  } catch {
    // Without storage it lasts as long as the page
  }
  return view;
}
