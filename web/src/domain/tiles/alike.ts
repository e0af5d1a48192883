// Which tiles light up because they are like the one that the player points at.
import { getContext, setContext } from "svelte";

const KEY = Symbol("alike");
const NONE = (): number | null => null;

/** Light up all tiles of a kind inside this component; null for none. */
export function lightUp(kind: () => number | null): void {
  setContext(KEY, kind);
}

export function litKind(): () => number | null {
  return getContext<(() => number | null) | undefined>(KEY) ?? NONE;
}

/** The kind of the tile under a pointer; null beside a tile and for a face-down one. */
export function kindUnder(target: EventTarget | null): number | null {
  const element = target instanceof Element ? target.closest<SVGElement>("[data-kind-number]") : null;
  return element ? Number(element.dataset.kindNumber) : null;
}
