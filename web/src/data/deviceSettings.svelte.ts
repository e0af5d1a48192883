// The settings of this device, stored between visits.
import { readStored, writeStored } from "./deviceStorage";
import type { TableOptions } from "$generated/wire";
import { preferred, setLanguage, type Language } from "$domain/words.svelte";

export type Theme = "system" | "light" | "dark";

export const BACKS = ["amber", "blue", "green", "red"] as const;
export const CLOTHS = ["green", "blue", "wine", "grey"] as const;
export const PACES = ["slow", "usual", "quick"] as const satisfies readonly TableOptions["pace"][];
export type Pace = (typeof PACES)[number];
/** How a win appears: with a full scene, with its yaku listed one by one, or all at once. */
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
  /** Whether all tiles of the kind under the pointer are highlighted. */
  alike: true,
  /** Whether to show hints at tables that allow them. */
  hints: true,
  /** Whether a right click or a tap on the empty table passes a call. */
  tablePass: true,
  /** Whether a wide screen shows a panel beside the table. */
  beside: true,
  /** The bots' pace at new tables; null: quick at tables with bots only, otherwise usual. */
  pace: null as Pace | null,
  /** Whether suit tiles and winds carry numerals and letters. */
  numerals: false,
  back: "amber" as (typeof BACKS)[number],
  cloth: "green" as (typeof CLOTHS)[number],
  /** Volumes of the tiles, the spoken calls and other signals, 0–100. */
  tileVolume: 80,
  voiceVolume: 70,
  signalVolume: 60,
};

export type Settings = typeof DEFAULTS;
export type Switch = {
  [Name in keyof Settings]: Settings[Name] extends boolean ? Name : never;
}[keyof Settings];

// The switches in display order
export const PLAY_SWITCHES = ["hints", "autoSort", "confirmDiscard"] as const satisfies readonly Switch[];
export const MORE_SWITCHES = ["tablePass", "alike"] as const satisfies readonly Switch[];
export const LOOK_SWITCHES = ["numerals", "motion"] as const satisfies readonly Switch[];
export const SOUND_SWITCHES = ["sound", "vibration"] as const satisfies readonly Switch[];
export type ListedSwitch = (
  typeof PLAY_SWITCHES | typeof MORE_SWITCHES | typeof LOOK_SWITCHES | typeof SOUND_SWITCHES
)[number];

export const settings = $state<Settings>({ ...DEFAULTS, ...(readStored(KEY) as Partial<Settings> | null) });

function show(): void {
  const { theme, back, cloth } = settings;
  Object.assign(document.documentElement.dataset, { theme, back, cloth, motion: reducedMotion() ? "off" : "on" });
}

/** Whether animations are off, by this setting or by the operating system's. */
export function reducedMotion(): boolean {
  return !settings.motion || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function changeSettings(changed: Partial<Settings>): void {
  Object.assign(settings, changed);
  writeStored(KEY, settings);
  show();
}

export async function chooseLanguage(chosen: Language): Promise<void> {
  changeSettings({ language: chosen });
  // Lets the server link the right texts in the next page
  document.cookie = `jantaku_language=${chosen}; path=/; max-age=31536000; SameSite=Lax`;
  await setLanguage(chosen);
}

export async function applySettings(): Promise<void> {
  show();
  matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", show);
  await setLanguage(settings.language ?? preferred());
}
