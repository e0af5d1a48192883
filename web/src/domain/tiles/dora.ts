// Which kinds are dora: a component that sets them marks every tile below it.
import { getContext, setContext } from "svelte";
import type { Tile } from "./notation";
import { doraOf, type ManTiles } from "./tileSet";

const DORA = Symbol("dora");
const NONE: ReadonlySet<number> = new Set();
type Kinds = () => ReadonlySet<number>;

/** The kinds that indicators make dora in a set with such man tiles. */
export function doraKinds(indicators: readonly Tile[], man: ManTiles): ReadonlySet<number> {
  return new Set(indicators.map((indicator) => doraOf(indicator, man)));
}

/** Mark the dora among all tiles that this component shows; called while it is set up. */
export function markDora(kinds: Kinds): void {
  setContext(DORA, kinds);
}

/** The kinds to mark; called while a component is set up. */
export function markedDora(): Kinds {
  return getContext<Kinds | undefined>(DORA) ?? (() => NONE);
}
