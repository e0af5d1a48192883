// Settings of a person on this device, kept between visits.
import { keep, kept } from "./deviceStorage";
import type { TableOptions } from "$generated/wire";
import { preferred, speak, type Language } from "$domain/words.svelte";

export type Theme = "system" | "light" | "dark";

export const BACKS = ["amber", "blue", "green", "red"] as const;
export const CLOTHS = ["green", "blue", "wine", "grey"] as const;
export const PACES = ["slow", "usual", "quick"] as const satisfies readonly TableOptions["pace"][];
export type Pace = (typeof PACES)[number];
/** How a win is shown: a scene of its own, its yaku named on the result, or everything at once. */
export const SCENES = ["full", "brief", "none"] as const;
export const VOLUMES = ["tileVolume", "voiceVolume", "signalVolume"] as const;

const KEY = "jantaku.settings";
const DEFAULTS = {
  language: null as Language | null,
  theme: "system" as Theme,
  confirmDiscard: false,
  autoSort: true,
  sound: true,
  vibration: true,
  motion: true,
  scenes: "full" as (typeof SCENES)[number],
  /** Whether tiles like the one under the pointer light up. */
  alike: true,
  /** Whether the player wants hints, where the table allows them. */
  hints: true,
  /** Whether the right button of a mouse, or a tap on the empty table, passes a call. */
  tablePass: true,
  /** Whether a wide screen shows more beside the table. */
  beside: true,
  /** How fast bots play at tables that the person opens; null: quick against bots alone, else as usual. */
  pace: null as Pace | null,
  /** Whether tiles of suits and winds bear numerals and letters. */
  numerals: false,
  back: "amber" as (typeof BACKS)[number],
  cloth: "green" as (typeof CLOTHS)[number],
  /** From 0 to 100: the tiles, the spoken calls, and the other signals. */
  tileVolume: 80,
  voiceVolume: 70,
  signalVolume: 60,
};

export type Settings = typeof DEFAULTS;
export type Switch = {
  [Name in keyof Settings]: Settings[Name] extends boolean ? Name : never;
}[keyof Settings];

// The switches in the order in which they are listed
export const PLAY_SWITCHES = ["hints", "autoSort", "confirmDiscard"] as const satisfies readonly Switch[];
export const MORE_SWITCHES = ["tablePass", "alike"] as const satisfies readonly Switch[];
export const LOOK_SWITCHES = ["numerals", "motion"] as const satisfies readonly Switch[];
export const SOUND_SWITCHES = ["sound", "vibration"] as const satisfies readonly Switch[];
export type ListedSwitch = (
  typeof PLAY_SWITCHES | typeof MORE_SWITCHES | typeof LOOK_SWITCHES | typeof SOUND_SWITCHES
)[number];

export const settings = $state<Settings>({ ...DEFAULTS, ...(kept(KEY) as Partial<Settings> | null) });

function show(): void {
  const { theme, back, cloth } = settings;
  Object.assign(document.documentElement.dataset, { theme, back, cloth, motion: reducedMotion() ? "off" : "on" });
}

/** Whether nothing on the page moves, because the person or the device says so. */
export function reducedMotion(): boolean {
  return !settings.motion || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function change(changed: Partial<Settings>): void {
  Object.assign(settings, changed);
  keep(KEY, settings);
  show();
}

export async function choose(chosen: Language): Promise<void> {
  change({ language: chosen });
  // The server can name the words of the next page at once
  document.cookie = `jantaku_language=${chosen}; path=/; max-age=31536000; SameSite=Lax`;
  await speak(chosen);
}

export async function begin(): Promise<void> {
  show();
  matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", show);
  await speak(settings.language ?? preferred());
}
