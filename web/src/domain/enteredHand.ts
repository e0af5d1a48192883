// A hand as people enter it: the JSON of `docs/club.md`, which the server has checked.
import type { HandBody } from "$generated/wire";

type Json = NonNullable<HandBody["hand"]>;

export type End = "ron" | "tsumo" | "draw" | "abort" | "foul";
export type Worth = { han: number; fu: number } | { limit: string } | { yakuman: number };

export type Win = {
  seat: number;
  han?: number;
  fu?: number;
  limit?: string;
  yakuman?: number;
  pao?: { seats: readonly number[]; yakuman?: number };
  feeder?: number;
  yaku?: readonly string[];
  /** How many red and ura dora count, if the tiles are known. */
  bonus?: Record<string, number>;
  /** How many chips each payer gives, where the rules have chips. */
  chips?: number;
  /** Whether the hand was open; only statistics read it. */
  open?: boolean;
  /** The tiles in groups: concealed, the winning one, each meld. */
  tiles?: string;
};

export type Foul = {
  seat: number;
  foul: string;
};

export type Hand = {
  end: End;
  riichi?: readonly number[];
  wins?: readonly Win[];
  from?: number;
  tenpai?: readonly number[];
  nagashi?: readonly number[];
  kind?: string;
  seat?: number;
  fouls?: readonly Foul[];
  riichi_tile?: boolean;
  stop?: boolean;
  /** Who called a tile; only statistics read it. */
  calls?: readonly number[];
  /** At whose wall the deal began, where the rules pay double for it. */
  wareme?: number;
};

/** A hand in a message of the server. */
export function handIn(json: Json): Hand {
  return json as Hand;
}

/** A hand for a request. */
export function jsonOf(hand: Hand): Json {
  return hand;
}
