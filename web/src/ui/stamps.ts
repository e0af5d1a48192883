// Stamps: what one says at a table, as the own face in another mood.
import type { Said } from "$generated/wire";
import type { FaceTraits } from "./face";

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
