import { showError } from "$data/notices.svelte";
import { t } from "$domain/words.svelte";

/** The whole number in a field if it is within the field's bounds; otherwise show an error and restore `old`. */
export function wholeIn(field: Pick<HTMLInputElement, "value" | "min" | "max">, old: number): number {
  const value = Number(field.value);
  const [low, high] = [Number(field.min), Number(field.max)];
  if (field.value.trim() && Number.isInteger(value) && value >= low && value <= high) return value;
  showError(new Error(t("field.no_number", { low, high })));
  field.value = String(old);
  return old;
}

const MINUS = /^\s*[-−–▲△]/;

/** Flip the sign of a typed number; an empty field becomes a minus, so that typing can continue. */
export function negated(text: string): string {
  return MINUS.test(text) ? text.replace(MINUS, "") : `-${text.trimStart()}`;
}
