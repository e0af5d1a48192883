// Number fields that are read as soon as somebody leaves them.
import { showError } from "$data/notices.svelte";
import { t } from "$domain/words.svelte";

/** The whole number in a field, if it lies within the field's bounds; otherwise the field says so and shows `old` again. */
export function wholeIn(field: Pick<HTMLInputElement, "value" | "min" | "max">, old: number): number {
  const value = Number(field.value);
  const [low, high] = [Number(field.min), Number(field.max)];
  if (field.value.trim() && Number.isInteger(value) && value >= low && value <= high) return value;
  showError(new Error(t("field.no_number", { low, high })));
  field.value = String(old);
  return old;
}
