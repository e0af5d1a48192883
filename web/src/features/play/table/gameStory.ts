// What the final page tells of a game: the points by hand, the best win, the yaku, and each hand.
import type { Replay, Won, HandDrawn } from "$generated/wire";
import { ownYakuName } from "$domain/ownYakuNames.svelte";
import { seatsOf } from "$domain/seats";
import { maybe } from "$domain/words.svelte";
import { afterEvent } from "$domain/game/reducer";
import { NOTHING, type Seat, type SeatState } from "$domain/game/tableState";

/** A win with what the winner had laid out. */
type StoryWin = Won & Pick<SeatState, "melds" | "kita">;

/** `event`: the moment at which a replay shows its deal. */
export interface HandStory extends Pick<Replay["hands"][number], "event" | "number" | "honba"> {
  wins: StoryWin[];
  draw: HandDrawn["kind"] | null;
  deltas: number[];
  scores: number[];
}

interface Made {
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
      state = afterEvent(state, happened);
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

/** The first of the wins worth most. */
export function bestOf(hands: readonly HandStory[]): { win: StoryWin; hand: HandStory } | null {
  const all = hands.flatMap((hand) => hand.wins.map((win) => ({ win, hand })));
  return all.toSorted((one, other) => other.win.score.points - one.win.score.points)[0] ?? null;
}

export const TITLES = ["heaviest", "busiest", "careful", "comeback"] as const;
type Title = (typeof TITLES)[number];

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
  const wins = hands.flatMap((hand) => hand.wins);
  const all = new Set(wins.flatMap(({ score }) => Object.keys(score.yaku)));
  return [...all]
    .filter((yaku) => maybe(`yaku.${yaku}`, ownYakuName(yaku)))
    .map((yaku) => {
      const whose = wins.filter(({ score }) => yaku in score.yaku).map(({ seat }) => seat);
      return {
        yaku,
        bySeat: seatsOf(seats).map((seat) => whose.filter((one) => one === seat).length),
        count: whose.length,
      };
    })
    .sort((one, other) => other.count - one.count);
}
