// How strong the scene of a win is, what it shows behind the hand, and when each of its parts appears.
import type { Won } from "$generated/wire";

/** From an ordinary hand to a yakuman: each has a stronger scene than the one before. */
export const RANKS = ["plain", "mangan", "haneman", "baiman", "sanbaiman", "yakuman"] as const;
export type Rank = (typeof RANKS)[number];

/** What the scene of a yakuman is made of. */
export type Family =
  "dragons" | "winds" | "honours" | "orphans" | "green" | "gates" | "triplets" | "kans" | "heaven" | "fireworks";

const FAMILIES: Readonly<Record<string, Family>> = {
  daisangen: "dragons",
  shousuushii: "winds",
  daisuushii: "winds",
  tsuuiisou: "honours",
  daichisei: "honours",
  kokushi_musou: "orphans",
  kokushi_juusanmen: "orphans",
  chinroutou: "orphans",
  ryuuiisou: "green",
  chuuren_poutou: "gates",
  junsei_chuuren: "gates",
  suuankou: "triplets",
  suuankou_tanki: "triplets",
  suukantsu: "kans",
  tenhou: "heaven",
  chiihou: "heaven",
  renhou: "heaven",
};

export interface Struck {
  yaku: string;
  han: number;
  /** When it is struck, in milliseconds from the beginning of the scene. */
  at: number;
}

export interface Plan {
  rank: Rank;
  /** What a yakuman shows; null below. */
  family: Family | null;
  /** When the hand is laid, after the call. */
  hand: number;
  yaku: Struck[];
  /** When each ura indicator is turned, before the han that they bring are told. */
  ura: number[];
  /** When the fu appear, then the limit, then the points. */
  fu: number;
  value: number;
  points: number;
  /** When the scene is over. */
  end: number;
}

const CALL = { plain: 750, mangan: 850, haneman: 900, baiman: 950, sanbaiman: 1000, yakuman: 1400 } as const;
const HELD = { plain: 500, mangan: 800, haneman: 1000, baiman: 1200, sanbaiman: 1400, yakuman: 2600 } as const;
/** How long the hand is seen before its first yaku. */
export const LAID = 450;
const STEP = 240;
const LONGEST = 1900; // for the yaku together
const TURN = 420; // how long each ura indicator takes
const PART = 280;

const WIDE = /[\u1100-\uffff]/u; // characters of Korean, Japanese and Chinese
const NARROW = 0.68; // of others, in widths of these

/** How wide words in one line are, in heights of their letters. */
export function widthOf(words: string): number {
  return [...words].reduce((sum, letter) => sum + (WIDE.test(letter) ? 1 : NARROW), 0);
}

/** How wide the longest word is: others may stand in a line of their own. */
export function longestOf(words: string): number {
  return Math.max(...words.split(" ").map(widthOf));
}

/** The strength of a score: a yakuman that han add up to is one, too. */
export function rankOf({ limit, yakuman }: Pick<Won["score"], "limit" | "yakuman">): Rank {
  if (yakuman > 0) return "yakuman";
  return RANKS.find((rank) => rank === limit) ?? "plain";
}

/** What the yakuman of a score is made of: the first of them that has a scene of its own. */
export function familyOf({ yaku, yakuman }: Pick<Won["score"], "yaku" | "yakuman">): Family {
  const known = yakuman > 0 ? Object.keys(yaku).flatMap((id) => FAMILIES[id] ?? []) : [];
  return known[0] ?? "fireworks";
}

/** The times of a win's scene. Ura dora are told last, when their indicators are turned. */
export function planOf({ score, ura }: Pick<Won, "score"> & { ura: readonly unknown[] }): Plan {
  const rank = rankOf(score);
  const all = Object.entries(score.yaku);
  const [late, first] = [all.filter(([id]) => id === "ura_dora"), all.filter(([id]) => id !== "ura_dora")];
  const step = Math.min(STEP, LONGEST / Math.max(1, all.length));
  const hand = CALL[rank];
  let at = hand + LAID;
  const struck = first.map(([yaku, han]) => ({ yaku, han, at: (at += step) - step }));
  const turned = ura.map(() => (at += TURN) - TURN);
  const last = late.map(([yaku, han]) => ({ yaku, han, at: (at += step) - step }));
  const [fu, value] = [at, at + PART];
  const points = value + PART;
  return {
    rank,
    family: rank === "yakuman" ? familyOf(score) : null,
    hand,
    yaku: [...struck, ...last],
    ura: turned,
    fu,
    value,
    points,
    end: points + HELD[rank],
  };
}
