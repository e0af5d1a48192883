// The pages, loaded on demand.
import { loadWords } from "$domain/words.svelte";
import NotFound from "$ui/NotFound.svelte";
import { partsOf } from "$domain/path";
import { bundlesOf, NOT_FOUND, PAGES } from "./pageAddresses";

export interface Page {
  load: () => Promise<{ default: unknown }>;
  fullscreen: boolean;
  /** The subject of the page, which is remounted when this changes. */
  key: string;
  offlineCapable: boolean;
}

const files = import.meta.glob<{ default: unknown }>("./features/*/pages/*.svelte");

export function pageOf(path: string): Page {
  const parts = partsOf(path).filter(Boolean);
  const address = PAGES.get(parts[0] ?? "") ?? NOT_FOUND;
  const file = files[`./${address.file}`];
  const load = async (): Promise<{ default: unknown }> =>
    (await Promise.all([file?.() ?? { default: NotFound }, ...bundlesOf(address).map(loadWords)]))[0];
  return {
    load,
    fullscreen: parts.length >= (address.fullscreenFrom ?? Infinity),
    key: address.nested ? parts.slice(0, 2).join("/") : path,
    offlineCapable: address.offlineCapable ?? false,
  };
}
