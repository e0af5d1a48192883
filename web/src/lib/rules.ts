// The name of a ruleset in the language of the page.
import { maybe, t } from "./words.svelte";

interface Named {
  id: string;
  name: string;
}

/** A preset's own name; rules of one's own are called what their file says. */
export function rulesName({ id, name }: Named): string {
  return maybe(`preset.${id}`, name === id || !name ? t("rules.own_rules") : name);
}
