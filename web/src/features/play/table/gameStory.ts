// Data for the page at the end of a game: the points after each hand, and how it ended.
import type { Replay, Won, HandDrawn } from "$generated/wire";

export interface HandStory extends Pick<Replay["hands"][number], "event" | "number" | "honba"> {
  wins: Won[];
  draw: HandDrawn["kind"] | null;
  deltas: number[];
  scores: number[];
}

/** The hands of a game in order, without the points distributed at the end of the game. */
export function handsOf({ events, hands }: Pick<Replay, "events" | "hands">): HandStory[] {
  return hands.map(({ event, number, honba }, i) => {
    const hand: HandStory = { event: event + 1, number, honba, wins: [], draw: null, deltas: [], scores: [] };
    for (const happened of events.slice(event, hands[i + 1]?.event ?? events.length)) {
      if (happened.type === "hand_started") hand.scores = happened.scores;
      else if (happened.type === "won") hand.wins.push(happened);
      else if (happened.type === "hand_drawn") hand.draw = happened.kind;
      else if (happened.type === "points_moved" && (happened.reason ?? "hand") === "hand") {
        hand.deltas = happened.deltas.map((delta, seat) => delta + (hand.deltas[seat] ?? 0));
        hand.scores = happened.scores;
      }
    }
    return hand;
  });
}

/** The scores before the first hand and after each; the last ones include the points distributed at the end. */
export function courseOf({ events }: Pick<Replay, "events">, hands: readonly HandStory[]): number[][] {
  const start = events.find((event) => event.type === "hand_started")?.scores ?? [];
  const end = events.findLast((event) => event.type === "points_moved")?.scores;
  return [start, ...hands.map((hand, i) => (i === hands.length - 1 && end ? end : hand.scores))];
}
