// Highlights all tiles of the kind under the pointer.
import { getContext, setContext } from "svelte";

const KEY = Symbol("alike");
const NONE = (): number | null => null;

/** Highlight all tiles of a kind inside this component; null for none. */
export function highlightKind(kind: () => number | null): void {
  setContext(KEY, kind);
}

export function highlightedKind(): () => number | null {
  return getContext<(() => number | null) | undefined>(KEY) ?? NONE;
}

/** The kind of the tile under the pointer; null for no tile or a face-down one. */
export function kindUnder(target: EventTarget | null): number | null {
  const element = target instanceof Element ? target.closest<SVGElement>("[data-kind-number]") : null;
  return element ? Number(element.dataset.kindNumber) : null;
}
