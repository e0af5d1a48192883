// The names of the local yaku of the server's own rules, which the built tables of words cannot have.
import { api } from "../net/api";
import { addWords, language } from "./words.svelte";

/** Learn the names in the current language. Without them a yaku is shown by its id. */
export async function nameLocalYaku(): Promise<void> {
  const chosen = language();
  const tables = await api.terms(chosen, "local_yaku").catch(() => null);
  if (!tables || chosen !== language()) return;
  const local = (tables["local_yaku"] ?? {}) as Record<string, { name: string }>;
  addWords(Object.fromEntries(Object.entries(local).map(([id, { name }]) => [`yaku.${id}`, name])));
}
