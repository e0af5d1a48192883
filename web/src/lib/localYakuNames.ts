// The names of the local yaku of the server's own rules, which the built tables of words cannot have.
import { addWords, language } from "./words.svelte";
import { send } from "../net/requests";

/** Learn the names in the current language. Without them a yaku is shown by its id. */
export async function nameLocalYaku(): Promise<void> {
  const chosen = language();
  const tables = await send("GET /api/terms/{language}", { path: { language: chosen }, query: { tables: "local_yaku" } }).catch(() => null);
  if (!tables || chosen !== language()) return;
  const names = Object.entries(tables["local_yaku"] ?? {}).flatMap(([id, words]) =>
    typeof words === "object" && "name" in words && typeof words.name === "string" ? [[`yaku.${id}`, words.name] as const] : [],
  );
  addWords(Object.fromEntries(names));
}
