// The steps of ranked play: nine kyu, then dan.
import { t } from "./words.svelte";

const KYU = 9;

export function stepName(step: number): string {
  if (step < KYU) return t("ranked.kyu", { n: KYU - step });
  return step === KYU ? t("ranked.first_dan") : t("ranked.dan", { n: step - KYU + 1 });
}
