// The last chosen rules, the default for the next table or calculation.
const KEY = "jantaku.rules";
export const STANDARD = "standard";
export const STANDARD_OF_THREE = "standard-3";

export function chosenRules(): string {
  return localStorage.getItem(KEY) ?? STANDARD;
}

export function chooseRules(id: string): void {
  localStorage.setItem(KEY, id);
}

export function forgetRules(id: string): void {
  if (chosenRules() === id) localStorage.removeItem(KEY);
}
