// Bot levels, weakest first, and the player's last choice.
import { LEVELS } from "$generated/sets";

export type BotLevel = (typeof LEVELS)[number];

const KEY = "jantaku.level";
const USUAL: BotLevel = "standard";

/** Whether a bot's policy is a known level; older servers and tests have others. */
export function isLevel(policy: string | null | undefined): policy is BotLevel {
  return LEVELS.some((level) => level === policy);
}

export function chosenLevel(): BotLevel {
  const stored = localStorage.getItem(KEY);
  return isLevel(stored) ? stored : USUAL;
}

export function chooseLevel(level: BotLevel): void {
  localStorage.setItem(KEY, level);
}

/** The level to request; null leaves the usual one to the server's own default. */
export function wantedLevel(level: BotLevel): BotLevel | null {
  return level === USUAL ? null : level;
}
