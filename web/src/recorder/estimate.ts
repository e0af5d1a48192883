// What a hand comes to by the server's table of payments, for when the server cannot be asked.
//
// The table has every payment. Here only honba and sticks are added. `sure` says whether nothing else can matter:
// liability, other fouls than one chombo, and rare rules are left to the server.
import type { HandFollowing, PaymentsInfo } from "../generated/wire";
import { seatsOf, windOf } from "../lib/seats";
import type { Hand, Win } from "../lib/enteredHand";
import { endsHand, isDealer, keyOf, nearestFirst } from "./handDraft";

/** Where a game stands before a hand. */
export interface Standing {
  number: number;
  honba: number;
  deposits: number;
  scores: number[];
}

export interface Estimate {
  deltas: number[];
  next: Standing;
  sure: boolean;
}

interface Parts {
  /** Payments without riichi sticks. */
  paid: number[];
  follows: HandFollowing;
  /** Whether the sticks on the table are taken. */
  taken: boolean;
  sure: boolean;
}

const STAYS: HandFollowing = { stays: true, honba: "keeps" };

/** The seats that lay a stick: not whoever was ronned on the riichi tile, if the rules say so. */
export function laidIn(hand: Hand, table: PaymentsInfo): number[] {
  const kept = hand.riichi_tile === true && table.stick_of_ronned === "kept";
  return (hand.riichi ?? []).filter((seat) => !(kept && seat === hand.from));
}

/** Those of several rons that win; none if they make a draw. */
function winners(wins: readonly Win[], table: PaymentsInfo): Win[] {
  const three = wins.length > 2;
  switch (table.ron) {
    case "head_bump":
      return wins.slice(0, 1);
    case "nearest_two":
      return wins.slice(0, 2);
    case "double_triple_draw":
      return three ? [] : [...wins];
    case "head_bump_triple_draw":
      return three ? [] : wins.slice(0, 1);
    default:
      return [...wins];
  }
}

/** The wins that count under the rules, of several rons the nearest to the discarder first. */
export function counted(hand: Hand, table: PaymentsInfo): readonly Win[] {
  const wins = hand.wins ?? [];
  return hand.end === "ron" && hand.from !== undefined ? winners(nearestFirst(wins, hand.from, table.seats), table) : wins;
}

function rowOf(win: Win, table: PaymentsInfo): PaymentsInfo["wins"][number] | undefined {
  return table.wins.find((row) => keyOf(row.worth as never) === keyOf(win));
}

function paidBy(payers: readonly [number, number][], winner: number, seats: number): number[] {
  const paid = seatsOf(seats).map(() => 0);
  for (const [seat, points] of payers) {
    paid[seat] = (paid[seat] ?? 0) - points;
    paid[winner] = (paid[winner] ?? 0) + points;
  }
  return paid;
}

/** How often a seat pays a winner its part of the hand, and of the honba: twice if one of the two has wareme. */
function wareme(hand: Hand, payer: number, winner: number, table: PaymentsInfo): [number, number] {
  const double = hand.wareme === payer || hand.wareme === winner;
  return [double && table.wareme !== "off" ? 2 : 1, double && table.wareme === "hand_and_honba" ? 2 : 1];
}

/** Whether nobody has to say who has wareme. */
function saysWareme(hand: Hand, table: PaymentsInfo): boolean {
  return table.wareme === "off" || hand.wareme !== undefined;
}

function added(one: readonly number[], other: readonly number[]): number[] {
  return one.map((points, seat) => points + (other[seat] ?? 0));
}

function ron(hand: Hand, before: Standing, table: PaymentsInfo): Parts {
  const { seats } = table;
  const from = hand.from ?? 0;
  const wins = counted(hand, table);
  const [first] = wins;
  if (!first) return abort({ ...hand, end: "abort", kind: "sanchahou" }, before, table);
  let paid = seatsOf(seats).map(() => 0);
  let sure = true;
  for (const win of wins) {
    const points = rowOf(win, table)?.ron?.[isDealer(win.seat, before.number, seats) ? 0 : 1];
    const honba = win === first || table.honba_to === "each" ? before.honba * table.honba[0] : 0;
    const [times, timesHonba] = wareme(hand, from, win.seat, table);
    sure &&= points !== undefined && !win.pao && saysWareme(hand, table);
    paid = added(paid, paidBy([[from, times * (points ?? 0) + timesHonba * honba]], win.seat, seats));
  }
  const pot = potOf(hand, before, table);
  paid[first.seat] = (paid[first.seat] ?? 0) + pot;
  const dealer = wins.some((win) => isDealer(win.seat, before.number, seats));
  const simple = wins.length < 2 || (table.deposits_to === "nearest" && (hand.wins ?? []).length < 3);
  return { paid, follows: table.won[dealer ? 0 : 1], taken: true, sure: sure && simple && mayTake(first, hand, before, table) };
}

function potOf(hand: Hand, before: Standing, table: PaymentsInfo): number {
  return (before.deposits + laidIn(hand, table).length) * table.deposit;
}

/** Some rules give older sticks to winners in riichi only. */
function mayTake(win: Win, hand: Hand, before: Standing, table: PaymentsInfo): boolean {
  return table.sticks_to === "any_winner" || before.deposits === 0 || (hand.riichi ?? []).includes(win.seat);
}

function tsumo(hand: Hand, before: Standing, table: PaymentsInfo): Parts {
  const { seats } = table;
  const win = hand.wins?.[0] ?? { seat: 0 };
  const row = rowOf(win, table)?.tsumo;
  const dealer = isDealer(win.seat, before.number, seats);
  const payers = seatsOf(seats)
    .filter((seat) => seat !== win.seat)
    .map((seat): [number, number] => {
      const which = dealer ? 0 : isDealer(seat, before.number, seats) ? 1 : 2;
      const [times, timesHonba] = wareme(hand, seat, win.seat, table);
      return [seat, times * (row?.[which] ?? 0) + timesHonba * before.honba * table.honba[1]];
    });
  const paid = paidBy(payers, win.seat, seats);
  paid[win.seat] = (paid[win.seat] ?? 0) + potOf(hand, before, table);
  const sure = row != null && !win.pao && saysWareme(hand, table) && win.feeder === undefined && mayTake(win, hand, before, table);
  return { paid, follows: table.won[dealer ? 0 : 1], taken: true, sure };
}

/** Deltas by wind as deltas by seat. */
function turned(byWind: readonly number[], before: Standing, seats: number): number[] {
  return seatsOf(seats).map((seat) => byWind[windOf(seat, before.number % seats, seats)] ?? 0);
}

function draw(hand: Hand, before: Standing, table: PaymentsInfo): Parts {
  const { seats } = table;
  const wind = (seat: number): number => windOf(seat, before.number % seats, seats);
  const mask = (hand.tenpai ?? []).reduce((sum, seat) => sum | (1 << wind(seat)), 0);
  const nagashi = hand.nagashi ?? [];
  const [first] = nagashi;
  const row = table.draws[first === undefined ? 0 : 1 + wind(first)]?.[mask];
  if (!row) return nothing(seats);
  return { paid: turned(row.deltas, before, seats), follows: row.next, taken: false, sure: nagashi.length === 0 || (nagashi.length === 1 && table.nagashi === "as_draw") };
}

function abort(hand: Hand, before: Standing, table: PaymentsInfo): Parts {
  const following = table.aborts[hand.kind ?? ""];
  const by = hand.from ?? hand.seat ?? -1;
  if (!following) return nothing(table.seats);
  const follows = following[by >= 0 && isDealer(by, before.number, table.seats) ? 0 : 1];
  return { paid: seatsOf(table.seats).map(() => 0), follows, taken: false, sure: true };
}

function nothing(seats: number): Parts {
  return { paid: seatsOf(seats).map(() => 0), follows: STAYS, taken: false, sure: false };
}

function foul(hand: Hand, before: Standing, table: PaymentsInfo): Parts {
  const voids = (hand.fouls ?? []).filter((committed) => endsHand(committed, table));
  const byWind = table.chombo[windOf(voids[0]?.seat ?? 0, before.number % table.seats, table.seats)];
  if (!byWind || voids.length !== 1 || hand.fouls?.length !== 1) return nothing(table.seats);
  return { paid: turned(byWind, before, table.seats), follows: STAYS, taken: false, sure: true };
}

const ENDS = { ron, tsumo, draw, abort, foul };

/** What a hand comes to, and where the game stands after it. */
export function estimate(hand: Hand, before: Standing, table: PaymentsInfo): Estimate {
  const parts = ENDS[hand.end](hand, before, table);
  const laid = hand.end === "foul" ? [] : laidIn(hand, table);
  const deltas = parts.paid.map((points, seat) => points - (laid.includes(seat) ? table.deposit : 0));
  const harmless = hand.end === "foul" || (hand.fouls ?? []).every((committed) => table.fouls[committed.foul] === "none");
  const honba = { adds: before.honba + 1, keeps: before.honba, none: 0 }[parts.follows.honba];
  const next = {
    number: before.number + (parts.follows.stays ? 0 : 1),
    honba,
    deposits: parts.taken ? 0 : before.deposits + laid.length,
    scores: added(before.scores, deltas),
  };
  return { deltas, next, sure: parts.sure && harmless };
}
