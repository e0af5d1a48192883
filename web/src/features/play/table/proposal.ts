// A vote of the people at a table, as one of them sees it.
import type { SeatInfo } from "$generated/wire";

export type Wish = "wants_abort" | "wants_rematch" | "shows_hand";
type Voter = Pick<SeatInfo, "name" | "person" | "bot" | "gone" | Wish>;

export interface Proposal {
  /** The names of the others who agree. */
  players: string[];
  agreed: number;
  people: number;
  mine: boolean;
}

/** What is proposed with a wish; null where I am the only person or nobody has proposed it. */
export function proposalOf(seats: readonly (Voter | null)[], me: number | null, wish: Wish): Proposal | null {
  const own = me === null ? null : seats[me];
  // whoever has left no longer decides when the game ends, but whether their hand is shown
  const people = seats.filter(
    (info) => info !== null && info.person !== null && info.bot === null && (wish === "shows_hand" || !info.gone),
  );
  const agreeing = people.filter((info) => info?.[wish]);
  if (!own || people.length < 2 || !agreeing.length) return null;
  const players = agreeing.flatMap((info) => (info ? [info.name] : []));
  return { players, agreed: agreeing.length, people: people.length, mine: own[wish] ?? false };
}
