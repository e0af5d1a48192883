// The levels of bots, from the gentlest to the strongest, and the one chosen last.
import { LEVELS } from "$generated/sets";

export type BotLevel = (typeof LEVELS)[number];

const KEY = "jantaku.level";
const USUAL: BotLevel = "standard";

/** Whether a bot's policy is one of the levels; older servers and tests have others. */
export function isLevel(policy: string | null | undefined): policy is BotLevel {
  return LEVELS.some((level) => level === policy);
}

export function chosenLevel(): BotLevel {
  const kept = localStorage.getItem(KEY);
  return isLevel(kept) ? kept : USUAL;
}

export function chooseLevel(level: BotLevel): void {
  localStorage.setItem(KEY, level);
}

/** What is asked of the server: the usual level is the server's own, whichever that is. */
export function wantedLevel(level: BotLevel): BotLevel | null {
  return level === USUAL ? null : level;
}
