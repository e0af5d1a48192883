// What is different on the screen for people from other sites.
import type { Key } from "$generated/keys";
import { maybe, t } from "$domain/words.svelte";

export const SITES = ["mahjongsoul", "tenhou"] as const;
export type Site = (typeof SITES)[number];
/** The rules of a site, by the number of players. */
const PRESETS: Record<Site, Readonly<Record<number, string>>> = {
  mahjongsoul: { 3: "mahjongsoul-3", 4: "mahjongsoul" },
  tenhou: { 3: "tenhou-3", 4: "tenhou" },
};

const TOPICS = ["discard", "toggles", "calls", "kita", "riichi", "hints", "clock", "replay", "talk", "ranks"] as const;
/** What the interface calls things, so that these texts call them the same. */
const NAMES = {
  confirm: "settings.confirmDiscard",
  win: "automatic.win",
  noCalls: "automatic.noCalls",
  discard: "automatic.discard",
  sort: "automatic.sort",
  autoKita: "automatic.kita",
  kita: "call.kita",
  pass: "call.pass",
  riichi: "call.riichi",
  even: "new.even_pauses",
  games: "nav.games",
  numbers: "learn.numbers.title",
} as const satisfies Record<string, Key>;

export interface Topic {
  name: string;
  title: string;
  text: string;
  /** What only people from this site need to know; empty for nothing. */
  more: string;
}

/** The rules of a site that compare with others for so many players. */
export function presetOf(site: Site, players: number): string {
  return PRESETS[site][players] ?? site;
}

export function siteOf(id: string): Site {
  return SITES.find((site) => site === id) ?? SITES[0];
}

export function topicsFor(site: Site): Topic[] {
  const names = Object.fromEntries(Object.entries(NAMES).map(([name, key]) => [name, t(key)]));
  return TOPICS.map((name) => ({
    name,
    title: t(`guide.coming.topics.${name}.title`),
    text: t(`guide.coming.topics.${name}.both`, names),
    more: maybe(`guide.coming.topics.${name}.${site}`, ""),
  }));
}
