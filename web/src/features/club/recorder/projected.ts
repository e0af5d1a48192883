import type { HandBody, PaymentsInfo, RecordedGameInfo, RecordedHand } from "$generated/wire";
import type { Hand } from "$domain/enteredHand";
import { number, t } from "$domain/words.svelte";
import { foulName } from "$domain/handInWords";
import { begun, fouledBy, settleHand, voids, type Standing } from "./settlement";

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

type Entered = Pick<Row, "id" | "hand" | "known">;

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
  let state = { ...begun(table), ...(same === 0 && whole ? standingAt(info, 0) : {}) };
  let [over, optional] = [false, false];
  let places: number[] | null = null;
  let refused: Projection["refused"] = null;
  for (const [at, { id, hand, known }] of entered.entries()) {
    const last = at === entered.length - 1;
    const { number, honba, deposits } = state;
    const refusal = refusalOf(hand, state, over, table);
    const done = settleHand(hand, state, table, hand.stop ?? last);
    const { deltas, scores, chips }: Pick<Row, "deltas" | "scores" | "chips"> = at < same && known ? known : done;
    const { laid } = done;
    rows.push({ id, hand, known, number, honba, deposits, dealer: number % table.seats, laid, deltas, scores, chips });
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

/** Why a hand cannot have been played: what the server checks (`jantaku.club.hand_checks`), as far as it can be entered here. */
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

export function refusalOf(hand: Hand, before: Standing, over: boolean, table: PaymentsInfo): Refusal | null {
  const { end, kind, wins = [], riichi = [], tenpai = [], fouls = [] } = hand;
  if (over) return { code: "game_is_over" };
  const poor = riichi.find((seat) => table.needs_points && (before.scores[seat] ?? 0) < table.deposit);
  if (poor !== undefined) return { code: "riichi_points", seat: poor, points: before.scores[poor] ?? 0 };
  const voiding = fouls.find((foul) => voids(foul, hand, table));
  if (end === "foul") return voiding ? null : { code: "no_chombo" };
  if (voiding) return { code: "foul_ends_hand", foul: voiding.foul };
  const dead = fouledBy(["dead_hand"], hand, table);
  const win = wins.find(({ seat }) => dead.includes(seat));
  if (win) return { code: "dead_hand_wins", seat: win.seat };
  if (end === "draw") {
    if (hand.nagashi?.length && (table.nagashi === "off" || !table.nagashi_base))
      return { code: "nagashi_not_in_rules" };
    const fouled = fouls.filter(({ foul }) => foul === "noten_riichi").map(({ seat }) => seat);
    const excused = [...tenpai, ...fouled, ...fouledBy(["dead_hand", "noten_at_draw"], hand, table)];
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
