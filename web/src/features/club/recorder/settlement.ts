// Settles hands as the server does (`jantaku.club.settlement`), so that a phone needs no network to say what they come to.
import type { PaymentsInfo } from "$generated/wire";
import { from as inTurn, seatsOf } from "$domain/seats";
import type { Foul, Hand, Win } from "$domain/enteredHand";
import {
  honbaShare,
  paidFor,
  paidTsumo,
  partOf,
  rulesOf,
  sharedSticks,
  standing,
  type Rules,
  type Taker,
} from "./payments";

export interface Standing {
  number: number;
  honba: number;
  deposits: number;
  scores: number[];
}

export interface State extends Standing {
  laid: number[];
}

export interface SettledHand {
  deltas: number[];
  /** The points after the hand, without the sticks that the end of the game gives away. */
  scores: number[];
  laid: number[];
  next: State;
  places: number[] | null;
}

const CHOMBO: readonly string[] = ["chombo", "expulsion"];
const FALSE_WINS: readonly string[] = ["false_win_shown", "false_win_called", "false_win_in_riichi", "furiten_ron"];
const FOUL_DEPOSIT = 1000;
const MANGAN_BASE = 2000;

export function begun(table: PaymentsInfo): State {
  const seats = seatsOf(table.seats);
  return { number: 0, honba: 0, deposits: 0, scores: seats.map(() => table.start_points), laid: seats.map(() => 0) };
}

/** What a foul costs in a hand: a false win beside a ron that stands costs no chombo, and noten riichi none without a draw. */
export function costOf({ seat, foul }: Foul, hand: Hand, table: PaymentsInfo): string {
  const { draw } = rulesOf(table);
  const cost = table.fouls[foul] ?? "none";
  if (foul === "noten_riichi") {
    if (hand.end === "ron" || hand.end === "tsumo") return "none";
    const everybody = (hand.riichi ?? []).length === table.seats && draw.suucha_riichi;
    if (hand.kind === "suucha_riichi" || (hand.end === "foul" && everybody)) return draw.suucha_riichi_noten;
  }
  const concerned = seat === hand.from || (hand.wins ?? []).some((win) => win.seat === seat);
  const beside = hand.end === "ron" && !concerned && FALSE_WINS.includes(foul);
  return beside && CHOMBO.includes(cost) ? "none" : cost;
}

export function fouledBy(costs: readonly string[], hand: Hand, table: PaymentsInfo): number[] {
  return (hand.fouls ?? []).filter((foul) => costs.includes(costOf(foul, hand, table))).map(({ seat }) => seat);
}

export function voids(foul: Foul, hand: Hand, table: PaymentsInfo): boolean {
  return CHOMBO.includes(costOf(foul, hand, table));
}

/** The wins that count under the rules, of several rons the nearest to the discarder first. */
export function counted(hand: Hand, table: PaymentsInfo): readonly Win[] {
  const wins = hand.wins ?? [];
  return hand.end === "ron" && hand.from != null ? standing(wins, hand.from, rulesOf(table)) : wins;
}

/** How many sticks each seat lays in a hand; none in a void one, which returns them. */
export function laidIn(hand: Hand, table: PaymentsInfo): number[] {
  if (hand.end === "foul") return seatsOf(table.seats).map(() => 0);
  const { riichi } = rulesOf(table);
  const kept = hand.riichi_tile === true && riichi.stick_when_declaration_is_ronned === "kept";
  const foul = riichi.deposit ? Math.floor(FOUL_DEPOSIT / riichi.deposit) : 0;
  const fined = fouledBy(["deposit_1000"], hand, table);
  const declared = (seat: number): boolean => (hand.riichi ?? []).includes(seat) && !(kept && seat === hand.from);
  return seatsOf(table.seats).map(
    (seat) => Number(declared(seat)) + foul * fined.filter((other) => other === seat).length,
  );
}

type Taken = "all" | "laid" | "none";
type Ending = "won" | "exhausted" | "abort" | "triple" | "void";

/** How a hand ends: what moves beside the sticks that are laid, and which seats won or are tenpai. */
interface Outcome {
  ended: Ending;
  paid: number[];
  taken: Taken;
  winners: readonly number[];
  tenpai: readonly number[];
  nagashi: readonly number[];
}

/** A hand that is being settled: `on` is the state with its sticks on the table. */
interface Played {
  hand: Hand;
  on: State;
  laid: readonly number[];
  dealer: number;
  table: PaymentsInfo;
  rules: Rules;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function added(one: readonly number[], other: readonly number[]): number[] {
  return one.map((points, seat) => points + (other[seat] ?? 0));
}

function lastNumber({ match }: Rules): number {
  return { east: 1, hanchan: 2, full: 4 }[match.length] * match.players - 1;
}

function taker(seat: number, { hand, on, rules }: Played): Taker {
  const riichi = (hand.riichi ?? []).includes(seat);
  return { riichi, takes: rules.riichi.sticks_to === "any_winner" || riichi || on.number >= lastNumber(rules) };
}

function takenOf(left: number, deposits: number): Taken {
  return left === 0 ? "all" : left === deposits ? "none" : "laid";
}

function won(played: Played): Outcome {
  const { hand, on, laid, dealer, table, rules } = played;
  const wins = counted(hand, table);
  const none = { tenpai: [], nagashi: [] };
  if (!wins.length) return { ended: "triple", paid: laid.map(() => 0), taken: "none", winners: [], ...none };
  const { taken, left } = sharedSticks(
    wins.map((win) => taker(win.seat, played)),
    on.deposits,
    sum(laid),
    rules,
  );
  let paid = laid.map(() => 0);
  wins.forEach((win, i) => {
    const honba = i === 0 || rules.win.honba_to === "each" ? on.honba : 0;
    paid = added(paid, paidFor(win, hand, dealer, honba, rules));
    paid[win.seat] = (paid[win.seat] ?? 0) + (taken[i] ?? 0) * rules.riichi.deposit;
  });
  return { ended: "won", paid, taken: takenOf(left, on.deposits), winners: wins.map((win) => win.seat), ...none };
}

function exhausted(played: Played): Outcome {
  const { hand, table, rules, laid } = played;
  const dead = fouledBy(["dead_hand"], hand, table);
  const noten = fouledBy(["dead_hand", "noten_at_draw"], hand, table);
  const tenpai = (hand.tenpai ?? []).filter((seat) => !noten.includes(seat));
  const counts = rules.draw.nagashi_mangan !== "off" && table.nagashi_base > 0;
  const nagashi = counts ? (hand.nagashi ?? []).filter((seat) => !dead.includes(seat)) : [];
  const said = { ended: "exhausted", winners: [], tenpai, nagashi } as const;
  if (nagashi.length) return { ...said, ...nagashiPaid(nagashi, played) };
  return { ...said, paid: notenPaid(tenpai, laid.length, rules.draw.noten_payment), taken: "none" };
}

function notenPaid(tenpai: readonly number[], seats: number, total: number): number[] {
  let [received, paid] = [0, 0];
  if (tenpai.length === 0 || tenpai.length === seats) return seatsOf(seats).map(() => 0);
  return seatsOf(seats).map((seat) =>
    tenpai.includes(seat) ? partOf(total, tenpai.length, received++) : 0 - partOf(total, seats - tenpai.length, paid++),
  );
}

/** Every nagashi mangan is paid like a tsumo; where it counts as a win, the first also takes honba and sticks. */
function nagashiPaid(nagashi: readonly number[], played: Played): { paid: number[]; taken: Taken } {
  const { on, laid, dealer, table, rules } = played;
  const seats = laid.length;
  const order = inTurn(dealer, seats).filter((seat) => nagashi.includes(seat));
  let paid = laid.map(() => 0);
  for (const seat of order) paid = added(paid, paidTsumo(seat, dealer, table.nagashi_base, rules));
  const [first] = order;
  if (first === undefined || rules.draw.nagashi_mangan !== "as_win") return { paid, taken: "none" };
  const { taken, left } = sharedSticks([taker(first, played)], on.deposits, sum(laid), rules);
  const each = honbaShare(on.honba, rules);
  paid = paid.map((points) => points - each);
  paid[first] = (paid[first] ?? 0) + seats * each + (taken[0] ?? 0) * rules.riichi.deposit;
  return { paid, taken: takenOf(left, on.deposits) };
}

function chombo({ hand, dealer, table, rules, laid }: Played): Outcome {
  const paid = laid.map(() => 0);
  const seats = laid.length;
  const { chombo: way, chombo_points: points } = rules.fouls;
  for (const seat of new Set(way === "deduct" ? [] : fouledBy(CHOMBO, hand, table))) {
    for (const other of seatsOf(seats).filter((each) => each !== seat)) {
      const mangan = MANGAN_BASE * (seat === dealer || other === dealer ? 2 : 1);
      const due =
        way === "mangan"
          ? mangan
          : way === "flat"
            ? partOf(points, seats - 1, ((other - seat + seats) % seats) - 1)
            : points;
      paid[seat] = (paid[seat] ?? 0) - due;
      paid[other] = (paid[other] ?? 0) + due;
    }
  }
  return { ended: "void", paid, taken: "none", winners: [], tenpai: [], nagashi: [] };
}

function outcomeOf(played: Played): Outcome {
  switch (played.hand.end) {
    case "ron":
    case "tsumo":
      return won(played);
    case "draw":
      return exhausted(played);
    case "foul":
      return chombo(played);
    case "abort":
      return {
        ended: played.hand.kind === "sanchahou" ? "triple" : "abort",
        paid: played.laid.map(() => 0),
        taken: "none",
        winners: [],
        tenpai: [],
        nagashi: [],
      };
  }
}

function isWin({ ended, nagashi }: Outcome, rules: Rules): boolean {
  return ended === "won" || (ended === "exhausted" && nagashi.length > 0 && rules.draw.nagashi_mangan === "as_win");
}

function stays(outcome: Outcome, { hand, dealer, rules }: Played): boolean {
  switch (outcome.ended) {
    case "void":
      return true;
    case "won":
      return outcome.winners.includes(dealer) && rules.deal.renchan !== "none";
    case "triple": {
      const rule = rules.draw.dealer_after_triple_ron;
      return rule === "stays" || (rule !== "passes" && hand.from !== dealer);
    }
    case "exhausted":
      if (isWin(outcome, rules)) return outcome.nagashi.includes(dealer) && rules.deal.renchan !== "none";
      return outcome.tenpai.includes(dealer) && rules.deal.renchan === "tenpai";
    case "abort":
      return rules.draw.dealer_after_abort === "stays";
  }
}

function nextHonba(outcome: Outcome, deals: boolean, honba: number, rules: Rules): number {
  if (outcome.ended === "void") return honba;
  if (isWin(outcome, rules)) return deals ? honba + 1 : 0;
  return outcome.ended === "exhausted" || rules.draw.honba_after_abort === "adds" ? honba + 1 : honba;
}

function aheadOf(scores: readonly number[], seat: number, rules: Rules): number {
  const mine = scores[seat] ?? 0;
  return scores.filter(
    (theirs, other) => theirs > mine || (theirs === mine && other < seat && rules.match.tie !== "share"),
  ).length;
}

/** Whether the dealer, who leads and stays in the last hand, ends the game. */
function dealerStops(outcome: Outcome, scores: readonly number[], stop: boolean, { dealer, rules }: Played): boolean {
  const rule = isWin(outcome, rules)
    ? rules.end.agari_yame
    : outcome.ended === "exhausted"
      ? rules.end.tenpai_yame
      : "off";
  const leads = aheadOf(scores, dealer, rules) === 0 && (scores[dealer] ?? 0) >= rules.end.dealer_stop_points;
  if (rule === "off" || !leads) return false;
  return rule === "forced" || stop;
}

function endsGame(outcome: Outcome, scores: readonly number[], deals: boolean, stop: boolean, played: Played): boolean {
  const { on, rules } = played;
  if (outcome.ended === "void") return false;
  const { tobi, top_points, extension, extension_target } = rules.end;
  const highest = Math.max(...scores);
  const busted = (points: number): boolean => points < 0 || (points === 0 && tobi === "zero_or_below");
  if ((tobi !== "off" && scores.some(busted)) || (top_points > 0 && top_points <= highest)) return true;
  if (on.number < lastNumber(rules)) return false;
  if (deals) return dealerStops(outcome, scores, stop, played);
  const extended = extension === "sudden_death" && on.number < lastNumber(rules) + rules.match.players;
  return !extended || highest >= extension_target;
}

/** The end of a game: the sticks left on the table go where the rules say. */
function finished(state: State, rules: Rules): Pick<SettledHand, "next" | "places"> {
  const { deposit } = rules.riichi;
  const { leftover_deposits } = rules.end;
  const none = { deposits: 0, laid: state.laid.map(() => 0) };
  const owned = state.scores.map(
    (points, seat) => points + (leftover_deposits === "riichi_owner" ? (state.laid[seat] ?? 0) * deposit : 0),
  );
  const places = owned.map((_, seat) => aheadOf(owned, seat, rules) + 1);
  const first = seatsOf(owned.length).filter((seat) => places[seat] === 1);
  const total = leftover_deposits === "first" ? state.deposits * deposit : 0;
  const scores = owned.map(
    (points, seat) => points + (first.includes(seat) ? partOf(total, first.length, first.indexOf(seat)) : 0),
  );
  return { next: { ...state, ...(leftover_deposits === "nobody" ? {} : none), scores }, places };
}

function sticksAfter(taken: Taken, { on, laid }: Played): Pick<State, "deposits" | "laid"> {
  if (taken === "all") return { deposits: 0, laid: laid.map(() => 0) };
  if (taken === "none") return { deposits: on.deposits, laid: on.laid };
  return { deposits: on.deposits - sum(laid), laid: on.laid.map((sticks, seat) => sticks - (laid[seat] ?? 0)) };
}

/** Settle a hand; `stop`: the dealer of the last hand ends the game where that is a choice. */
export function settleHand(hand: Hand, before: State, table: PaymentsInfo, stop: boolean): SettledHand {
  const rules = rulesOf(table);
  const laid = laidIn(hand, table);
  const on = { ...before, deposits: before.deposits + sum(laid), laid: added(before.laid, laid) };
  const played: Played = { hand, on, laid, dealer: before.number % table.seats, table, rules };
  const outcome = outcomeOf(played);
  const deltas = outcome.paid.map((points, seat) => points - (laid[seat] ?? 0) * rules.riichi.deposit);
  const scores = added(before.scores, deltas);
  const deals = stays(outcome, played);
  const over = endsGame(outcome, scores, deals, stop, played);
  const next = {
    ...sticksAfter(outcome.taken, played),
    scores,
    honba: nextHonba(outcome, deals, before.honba, rules),
    number: before.number + (over || deals ? 0 : 1),
  };
  return { deltas, scores, laid, ...(over ? finished(next, rules) : { next, places: null }) };
}
