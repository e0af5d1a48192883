// A game as it stands with what has not been sent yet.
import type { HandBody, PaymentsInfo, RecordedGameInfo, RecordedHand } from "$generated/wire";
import type { Hand } from "$domain/enteredHand";
import { refusalOf, type Refusal } from "./checks";
import { begun, laidIn, settleHand, type Standing, type State } from "./settlement";

export type Sending = Pick<HandBody, "id" | "action" | "place" | "hand">;

/** A hand of a game. `known` is what the server has of it; null while it has not been sent. */
export interface Row extends Standing {
  id: string;
  hand: Hand;
  dealer: number;
  deltas: number[];
  laid: number[];
  /** What each seat wins or pays in chips, once the server has said so and if the rules have chips. */
  chips?: number[] | null;
  known: RecordedHand | null;
}

export interface Projection {
  rows: Row[];
  next: Standing;
  /** Whether the game ends with its last hand; `optional`: the dealer may choose to go on. */
  over: boolean;
  optional: boolean;
  places: number[] | null;
  refused: { at: number; refusal: Refusal } | null;
}

interface Entered {
  id: string;
  hand: Hand;
  known: RecordedHand | null;
}

/** The hands after all entries: the server applies them in the same way. */
function applied(hands: readonly RecordedHand[], sending: readonly Sending[]): Entered[] {
  const rows: Entered[] = hands.map((known) => ({ id: known.version, hand: known.hand, known }));
  for (const { id, action, place, hand } of sending) {
    const at = action === "add" || action === undefined ? rows.length : (place ?? 0);
    const entered = hand ? [{ id, hand, known: null }] : [];
    rows.splice(at, action === "replace" || action === "remove" ? 1 : 0, ...entered);
  }
  return rows;
}

function standingAt(info: RecordedGameInfo, at: number): Partial<Standing> {
  const { number, honba, deposits } = info.hands[at] ?? info;
  const scores = at === info.hands.length ? info.scores : info.hands[at - 1]?.scores;
  return { number, honba, deposits, ...(scores ? { scores } : {}) };
}

/** The game with everything that waits. Hands before the first change are as the server settled them. */
export function projected(info: RecordedGameInfo, sending: readonly Sending[], table: PaymentsInfo): Projection {
  const entered = applied(info.hands, info.only_points ? [] : sending);
  const changed = entered.findIndex(({ known }, at) => known === null || known !== info.hands[at]);
  const same = changed < 0 ? entered.length : changed;
  const whole = same === entered.length && same === info.hands.length;
  const rows: Row[] = [];
  let state: State = { ...begun(table), ...(same === 0 && whole ? standingAt(info, 0) : {}) };
  let [over, optional] = [false, false];
  let places: number[] | null = null;
  let refused: Projection["refused"] = null;
  for (const [at, { id, hand, known }] of entered.entries()) {
    const last = at === entered.length - 1;
    const { number, honba, deposits } = state;
    const refusal = refusalOf(hand, state, over, table);
    const done = settleHand(hand, state, table, hand.stop ?? last);
    const settled =
      at < same && known
        ? { deltas: known.deltas, scores: known.scores, chips: known.chips ?? null }
        : { deltas: done.deltas, scores: done.scores };
    rows.push({
      id,
      hand,
      known,
      number,
      honba,
      deposits,
      dealer: number % table.seats,
      laid: laidIn(hand, table),
      ...settled,
    });
    over = done.places !== null;
    optional = over && hand.stop === undefined && settleHand(hand, state, table, false).places === null;
    places = done.places;
    const asked = at + 1 < info.hands.length ? !last : whole || info.status === "playing"; // the server may have ended the game here
    state = { ...done.next, ...(at < same && asked ? standingAt(info, at + 1) : {}) };
    if (at >= same && refusal) refused ??= { at, refusal };
  }
  if (whole) [over, places] = [info.status === "over" || info.status === "confirmed", info.places];
  return { rows, next: state, over, optional, places, refused };
}
