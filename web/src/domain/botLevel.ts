// Bot levels, weakest first, and the player's last choice. The operator's programs are further choices.
import { LEVELS } from "$generated/sets";
import { t } from "./words.svelte";

export type BotLevel = (typeof LEVELS)[number];

const KEY = "jantaku.level";
const USUAL: BotLevel = "standard";

/** Whether a bot's policy is a known level; programs, older servers and tests have others. */
export function isLevel(policy: string | null | undefined): policy is BotLevel {
  return LEVELS.some((level) => level === policy);
}

/** The name of a level, or of a program as given. */
export function levelName(policy: string): string {
  return isLevel(policy) ? t(`bot.name.${policy}`) : policy;
}

export function chosenLevel(): BotLevel {
  const stored = localStorage.getItem(KEY);
  return isLevel(stored) ? stored : USUAL;
}

/** Remember the choice, unless it is a program, which suits only some rules. */
export function chooseLevel(level: string): void {
  if (isLevel(level)) localStorage.setItem(KEY, level);
}

/** The level to request; null leaves the usual one to the server's own default. */
export function wantedLevel(level: string): string | null {
  return level === USUAL ? null : level;
}
