// The kinds that are dora, set by a component for all tiles inside it.
import { getContext, setContext } from "svelte";
import type { Tile } from "./notation";
import { doraOf, type TileSet } from "./tileSet";

const DORA = Symbol("dora");
const NONE: ReadonlySet<number> = new Set();
type Kinds = () => ReadonlySet<number>;

/** Mark the dora among all tiles inside this component. Call during its initialisation. */
export function markDora(shown: () => { indicators: readonly Tile[]; set: TileSet } | null): void {
  const kinds = $derived.by(() => {
    const { indicators = [], set } = shown() ?? {};
    return new Set(indicators.map((indicator) => doraOf(indicator, set?.man)));
  });
  setContext<Kinds>(DORA, () => kinds);
}

/** The kinds to mark. Call during a component's initialisation. */
export function markedDora(): Kinds {
  return getContext<Kinds | undefined>(DORA) ?? (() => NONE);
}
