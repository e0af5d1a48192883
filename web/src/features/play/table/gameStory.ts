// What the final page tells of a game: the points by hand, the best win, the yaku, and each hand.
import type { Replay, Won, HandDrawn } from "$generated/wire";
import { ownYakuName } from "$domain/ownYakuNames.svelte";
import { maybe } from "$domain/words.svelte";
import { afterEvent as after } from "$domain/game/reducer";
import { NOTHING, type Seat, type SeatState } from "$domain/game/tableState";

/** A win with what the winner had laid out. */
export type StoryWin = Won & Pick<SeatState, "melds" | "kita">;

export interface HandStory {
  /** The moment at which a replay shows its deal. */
  event: number;
  number: number;
  honba: number;
  wins: StoryWin[];
  draw: HandDrawn["kind"] | null;
  deltas: number[];
  scores: number[];
}

export interface Best {
  win: StoryWin;
  hand: HandStory;
}

export interface Made {
  yaku: string;
  bySeat: number[];
  count: number;
}

/** The hands of a game in order. Points that the end of the game distributes are left out. */
export function handsOf({ events, hands }: Pick<Replay, "events" | "hands">): HandStory[] {
  let state = NOTHING;
  return hands.map(({ event, number, honba }, i) => {
    const hand: HandStory = { event: event + 1, number, honba, wins: [], draw: null, deltas: [], scores: [] };
    for (const happened of events.slice(event, hands[i + 1]?.event ?? events.length)) {
      state = after(state, happened);
      const { melds = [], kita = 0 } = (happened.type === "won" && state.hand?.seats[happened.seat]) || {};
      if (happened.type === "hand_started") hand.scores = happened.scores;
      else if (happened.type === "won") hand.wins.push({ ...happened, melds, kita });
      else if (happened.type === "hand_drawn") hand.draw = happened.kind;
      else if (happened.type === "points_moved" && (happened.reason ?? "hand") === "hand") {
        hand.deltas = happened.deltas.map((delta, seat) => delta + (hand.deltas[seat] ?? 0));
        hand.scores = happened.scores;
      }
    }
    return hand;
  });
}

/** The points before the first hand, after each, and at the end with what the game then distributes. */
export function courseOf({ events }: Pick<Replay, "events">, hands: readonly HandStory[]): number[][] {
  const start = events.find((event) => event.type === "hand_started")?.scores ?? [];
  const end = events.findLast((event) => event.type === "points_moved")?.scores;
  return [start, ...hands.map((hand, i) => (i === hands.length - 1 && end ? end : hand.scores))];
}

export function bestOf(hands: readonly HandStory[]): Best | null {
  const all = hands.flatMap((hand) => hand.wins.map((win) => ({ win, hand })));
  return all.reduce<Best | null>(
    (best, one) => (best && best.win.score.points >= one.win.score.points ? best : one),
    null,
  );
}

export const TITLES = ["heaviest", "busiest", "careful", "comeback"] as const;
export type Title = (typeof TITLES)[number];

/** Who has a value above everybody else's; nobody where several share it or none has any. */
function above(values: readonly number[]): Seat | null {
  const most = Math.max(...values);
  const best = values.flatMap((value, seat) => (value === most ? [seat] : []));
  return most > 0 && best.length === 1 ? (best[0] ?? null) : null;
}

/** What a game is remembered for: the heaviest hand, the most wins, never dealing in, and a first place from the last one. */
export function titlesOf(hands: readonly HandStory[], places: readonly number[]): Partial<Record<Title, Seat>> {
  const wins = hands.flatMap((hand) => hand.wins);
  const dealtIn = new Set(wins.map(({ source }) => source));
  const clean = places.flatMap((_, seat) => (dealtIn.has(seat) ? [] : [seat]));
  const first = places.indexOf(1);
  const lowest = hands.some(
    ({ scores }, i) => i < hands.length - 1 && above(scores.map((score) => 1_000_000 - score)) === first,
  );
  const titles: Record<Title, Seat | null> = {
    heaviest: bestOf(hands)?.win.seat ?? null,
    busiest: above(places.map((_, seat) => wins.filter((win) => win.seat === seat).length)),
    careful: wins.length && clean.length === 1 ? (clean[0] ?? null) : null,
    comeback: lowest ? first : null,
  };
  return Object.fromEntries(Object.entries(titles).filter(([, seat]) => seat !== null));
}

/** The yaku of all wins, the most frequent first; dora are none. */
export function madeOf(hands: readonly HandStory[], seats: number): Made[] {
  const byYaku = new Map<string, Made>();
  for (const { seat, score } of hands.flatMap((hand) => hand.wins)) {
    for (const yaku of Object.keys(score.yaku)) {
      if (!maybe(`yaku.${yaku}`, ownYakuName(yaku))) continue;
      const made = byYaku.get(yaku) ?? { yaku, bySeat: Array.from({ length: seats }, () => 0), count: 0 };
      made.bySeat[seat] = (made.bySeat[seat] ?? 0) + 1;
      made.count += 1;
      byYaku.set(yaku, made);
    }
  }
  return [...byYaku.values()].sort((one, other) => other.count - one.count);
}
