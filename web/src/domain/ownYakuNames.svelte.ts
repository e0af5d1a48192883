// The names of custom yaku, which come with the rules that define them and not with the term tables.
import { nameIn } from "./words.svelte";

type Names = Readonly<Record<string, Readonly<Record<string, string>>>>;

const known = $state<{ names: Names }>({ names: {} });

export function learnYaku(names: Names | undefined): void {
  if (names && Object.keys(names).length) known.names = { ...known.names, ...names };
}

export function ownYakuName(id: string): string {
  return nameIn(known.names[id] ?? {});
}
