// A game as it stands with what has not been sent yet.
import type { HandBody, PaymentsInfo, RecordedGameInfo, RecordedHand } from "../generated/wire";
import { handIn, type Hand } from "../lib/enteredHand";
import { estimate, type Standing } from "./estimate";

export type Sending = Pick<HandBody, "id" | "action" | "place" | "hand">;

/** A hand of a game. `known` is what the server has of it; null while it has not been sent. */
export interface Row extends Standing {
  id: string;
  hand: Hand;
  dealer: number;
  deltas: number[];
  /** What each seat wins or pays in chips, once the server has said so and if the rules have chips. */
  chips?: number[] | null;
  known: RecordedHand | null;
  /** Whether the server has settled it, or nothing can change what is shown. */
  sure: boolean;
}

export interface Projection {
  rows: Row[];
  next: Standing;
  sure: boolean;
}

interface Entered {
  id: string;
  hand: Hand;
  known: RecordedHand | null;
}

/** The hands after all entries: the server applies them in the same way. */
function applied(hands: readonly RecordedHand[], sending: readonly Sending[]): Entered[] {
  const rows: Entered[] = hands.map((known) => ({ id: known.version, hand: handIn(known.hand), known }));
  for (const { id, action, place, hand } of sending) {
    const at = action === "add" || action === undefined ? rows.length : (place ?? 0);
    const entered = hand ? [{ id, hand: handIn(hand), known: null }] : [];
    rows.splice(at, action === "replace" || action === "remove" ? 1 : 0, ...entered);
  }
  return rows;
}

/** Where the game stood before a hand that the server has, or stands after its last one. */
function standingAt(info: RecordedGameInfo, at: number, table: PaymentsInfo): Standing {
  const { number, honba, deposits } = info.hands[at] ?? info;
  const start = Array.from({ length: table.seats }, () => table.start_points);
  return { number, honba, deposits, scores: info.hands[at - 1]?.scores ?? start };
}

/**
 * The game with everything that waits. Hands before the first change are as the server settled them. Of a game that was
 * ended by its points nothing can wait any more.
 */
export function projected(info: RecordedGameInfo, sending: readonly Sending[], table: PaymentsInfo): Projection {
  const entered = applied(info.hands, info.only_points ? [] : sending);
  const changed = entered.findIndex(({ known }, at) => known === null || known !== info.hands[at]);
  const same = changed < 0 ? entered.length : changed;
  const rows: Row[] = entered.slice(0, same).flatMap(({ id, hand, known }) => (known ? [{ ...standing(known), id, hand, known, dealer: known.dealer, deltas: known.deltas, chips: known.chips ?? null, sure: true }] : []));
  let next = standingAt(info, same, table);
  let sure = true;
  for (const { id, hand, known } of entered.slice(same)) {
    const result = estimate(hand, next, table);
    sure &&= result.sure;
    const { number, honba, deposits } = next;
    rows.push({ id, hand, known, sure, number, honba, deposits, dealer: number % table.seats, deltas: result.deltas, scores: result.next.scores });
    next = result.next;
  }
  if (same === entered.length && same === info.hands.length) next = { ...next, scores: info.scores };
  return { rows, next, sure };
}

function standing({ number, honba, deposits, scores }: RecordedHand): Standing {
  return { number, honba, deposits, scores };
}
