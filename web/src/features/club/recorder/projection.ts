import type { HandBody, PaymentsInfo, RecordedGameInfo, RecordedHand } from "$generated/wire";
import type { Hand } from "$domain/enteredHand";
import { number, t } from "$domain/words.svelte";
import { foulName } from "$domain/handInWords";
import { initialState, seatsPenalised, settleHand, voidsHand, type GameState } from "./settlement";

export type UnsentEntry = Pick<HandBody, "id" | "action" | "place" | "hand">;

/** A hand of a game. `known` is the server's version; null until the hand is sent. */
export interface Row extends GameState {
  id: string;
  hand: Hand;
  dealer: number;
  deltas: number[];
  laid: number[];
  /** Chips won or paid by each seat; only from the server, and only if the rules have chips. */
  chips?: number[] | null;
  known: RecordedHand | null;
}

export interface Projection {
  rows: Row[];
  next: GameState;
  /** Whether the game ends with its last hand; if `optional`, the dealer may continue. */
  over: boolean;
  optional: boolean;
  places: number[] | null;
  refused: { at: number; refusal: Refusal } | null;
}

type Entered = Pick<Row, "id" | "hand" | "known">;

/** Apply unsent entries to the hands in the same way as the server. */
function applyEntries(hands: readonly RecordedHand[], unsent: readonly UnsentEntry[]): Entered[] {
  const rows: Entered[] = hands.map((known) => ({ id: known.version, hand: known.hand, known }));
  for (const { id, action, place, hand } of unsent) {
    const at = action === "add" || action === undefined ? rows.length : (place ?? 0);
    const entered = hand ? [{ id, hand, known: null }] : [];
    rows.splice(at, action === "replace" || action === "remove" ? 1 : 0, ...entered);
  }
  return rows;
}

function stateAt(info: RecordedGameInfo, at: number): Partial<GameState> {
  const { number, honba, deposits } = info.hands[at] ?? info;
  const scores = at === info.hands.length ? info.scores : info.hands[at - 1]?.scores;
  return { number, honba, deposits, ...(scores ? { scores } : {}) };
}

/** The game with all unsent entries applied. Hands before the first change keep the server's settlement. */
export function project(info: RecordedGameInfo, unsent: readonly UnsentEntry[], table: PaymentsInfo): Projection {
  const entered = applyEntries(info.hands, info.only_points ? [] : unsent);
  const changed = entered.findIndex(({ known }, at) => known === null || known !== info.hands[at]);
  const unchanged = changed < 0 ? entered.length : changed;
  const allSent = unchanged === entered.length && unchanged === info.hands.length;
  const rows: Row[] = [];
  let state = { ...initialState(table), ...(unchanged === 0 && allSent ? stateAt(info, 0) : {}) };
  let [over, optional] = [false, false];
  let places: number[] | null = null;
  let refused: Projection["refused"] = null;
  for (const [at, { id, hand, known }] of entered.entries()) {
    const last = at === entered.length - 1;
    const { number, honba, deposits } = state;
    const refusal = refusalOf(hand, state, over, table);
    const done = settleHand(hand, state, table, hand.stop ?? last);
    const { deltas, scores, chips }: Pick<Row, "deltas" | "scores" | "chips"> = at < unchanged && known ? known : done;
    const { laid } = done;
    rows.push({ id, hand, known, number, honba, deposits, dealer: number % table.seats, laid, deltas, scores, chips });
    over = done.places !== null;
    optional = over && hand.stop === undefined && settleHand(hand, state, table, false).places === null;
    places = done.places;
    const fromServer = at + 1 < info.hands.length ? !last : allSent || info.status === "playing"; // otherwise the server may have ended the game here
    state = { ...done.next, ...(at < unchanged && fromServer ? stateAt(info, at + 1) : {}) };
    if (at >= unchanged && refusal) refused ??= { at, refusal };
  }
  if (allSent) [over, places] = [info.status === "over" || info.status === "confirmed", info.places];
  return { rows, next: state, over, optional, places, refused };
}

/** Why a hand is invalid: the checks of `jantaku.club.hand_checks` that the recorder's input can fail. */
export interface Refusal {
  code:
    | "game_is_over"
    | "riichi_points"
    | "noten_in_riichi"
    | "no_chombo"
    | "foul_ends_hand"
    | "dead_hand_wins"
    | "wareme_unknown"
    | "abort_not_in_rules"
    | "nagashi_not_in_rules"
    | "four_in_riichi";
  seat?: number;
  points?: number;
  foul?: string;
}

export function refusalOf(hand: Hand, before: GameState, over: boolean, table: PaymentsInfo): Refusal | null {
  const { end, kind, wins = [], riichi = [], tenpai = [], fouls = [] } = hand;
  if (over) return { code: "game_is_over" };
  const cannotPay = riichi.find((seat) => table.needs_points && (before.scores[seat] ?? 0) < table.deposit);
  if (cannotPay !== undefined) return { code: "riichi_points", seat: cannotPay, points: before.scores[cannotPay] ?? 0 };
  const voiding = fouls.find((foul) => voidsHand(foul, hand, table));
  if (end === "foul") return voiding ? null : { code: "no_chombo" };
  if (voiding) return { code: "foul_ends_hand", foul: voiding.foul };
  const dead = seatsPenalised(["dead_hand"], hand, table);
  const win = wins.find(({ seat }) => dead.includes(seat));
  if (win) return { code: "dead_hand_wins", seat: win.seat };
  if (end === "draw") {
    if (hand.nagashi?.length && (table.nagashi === "off" || !table.nagashi_base))
      return { code: "nagashi_not_in_rules" };
    const fouled = fouls.filter(({ foul }) => foul === "noten_riichi").map(({ seat }) => seat);
    const excused = [...tenpai, ...fouled, ...seatsPenalised(["dead_hand", "noten_at_draw"], hand, table)];
    const seat = riichi.find((each) => !excused.includes(each));
    return seat === undefined ? null : { code: "noten_in_riichi", seat };
  }
  if (end === "abort") {
    if (!kind || !table.aborts.includes(kind)) return { code: "abort_not_in_rules" };
    return kind === "suucha_riichi" && riichi.length < table.seats ? { code: "four_in_riichi" } : null;
  }
  return table.wareme !== "off" && wins.length && hand.wareme === undefined ? { code: "wareme_unknown" } : null;
}

export function refusalWords(
  { code, seat = -1, points = 0, foul = "noten_riichi" }: Refusal,
  names: readonly string[],
  table: PaymentsInfo,
): string {
  return t(`recorder.refused.${code}`, {
    name: names[seat] ?? "",
    points: number(points),
    needed: number(table.deposit),
    foul: foulName(foul),
  });
}
