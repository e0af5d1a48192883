// A person's face: a mahjong tile with traits derived from a seed, the same for every viewer.
import type { Said } from "$generated/wire";

export const COLOURS = [
  "#2e7d5b",
  "#2f6fa8",
  "#c8702a",
  "#a8423f",
  "#7a55a3",
  "#3d8f96",
  "#b5519a",
  "#6b7a2c",
] as const;
export const EYES = ["dots", "tall", "happy", "wink", "sleepy", "wide"] as const;
export const MOUTHS = ["smile", "open", "flat", "cat", "teeth", "small"] as const;
export const CHEEKS = ["none", "rosy", "freckles"] as const;
export const EXTRAS = [
  "none",
  "glasses",
  "bow",
  "leaf",
  "flower",
  "cap",
  "headband",
  "moustache",
  "monocle",
  "headphones",
  "crown",
  "star",
] as const;

export interface FaceTraits {
  colour: (typeof COLOURS)[number];
  eyes: (typeof EYES)[number];
  mouth: (typeof MOUTHS)[number];
  cheeks: (typeof CHEEKS)[number];
  extra: (typeof EXTRAS)[number];
}

/** Hash a text to 32 bits (FNV-1a with a final mix). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export function faceOf(seed: string): FaceTraits {
  const pick = <T>(what: string, list: readonly T[]): T => list[hashOf(`${what} ${seed}`) % list.length] as T;
  return {
    colour: pick("colour", COLOURS),
    eyes: pick("eyes", EYES),
    mouth: pick("mouth", MOUTHS),
    cheeks: pick("cheeks", CHEEKS),
    extra: pick("extra", EXTRAS),
  };
}

// Stamps: quick chat messages, shown as the sender's face in a certain mood.
export type Stamp = NonNullable<Said["stamp"]>;
export type Mood = Pick<FaceTraits, "eyes" | "mouth"> & Partial<FaceTraits>;

export const MOODS = {
  hello: { eyes: "happy", mouth: "open" },
  good_luck: { eyes: "wink", mouth: "smile" },
  nice: { eyes: "happy", mouth: "teeth" },
  thanks: { eyes: "happy", mouth: "smile", cheeks: "rosy" },
  sorry: { eyes: "sleepy", mouth: "small" },
  wow: { eyes: "wide", mouth: "open" },
  ouch: { eyes: "tall", mouth: "teeth", cheeks: "rosy" },
  moment: { eyes: "dots", mouth: "flat" },
  hurry: { eyes: "wide", mouth: "flat" },
  good_game: { eyes: "happy", mouth: "cat", cheeks: "rosy" },
} as const satisfies Record<Stamp, Mood>;

export const STAMPS = Object.keys(MOODS) as readonly Stamp[];
