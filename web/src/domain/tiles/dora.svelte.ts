// Which kinds are dora: a component that sets them marks every tile below it.
import { getContext, setContext } from "svelte";
import type { Tile } from "./notation";
import { doraOf, type TileSet } from "./tileSet";

const DORA = Symbol("dora");
const NONE: ReadonlySet<number> = new Set();
type Kinds = () => ReadonlySet<number>;

/** Mark the dora among all tiles that this component shows; called while it is set up. */
export function markDora(shown: () => { indicators: readonly Tile[]; set: TileSet } | null): void {
  const kinds = $derived.by(() => {
    const { indicators = [], set } = shown() ?? {};
    return new Set(indicators.map((indicator) => doraOf(indicator, set?.man)));
  });
  setContext<Kinds>(DORA, () => kinds);
}

/** The kinds to mark; called while a component is set up. */
export function markedDora(): Kinds {
  return getContext<Kinds | undefined>(DORA) ?? (() => NONE);
}
