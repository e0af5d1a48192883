// Settles hands offline with the same results as `jantaku.club.settlement`.
import type { PaymentsInfo } from "$generated/wire";
import { seatsFrom as inTurn, lastHand, MAX_SEATS, seatsOf } from "$domain/seats";
import type { Foul, Hand, Win } from "$domain/enteredHand";

/** The state of a game before a hand. */
export interface GameState {
  number: number;
  honba: number;
  deposits: number;
  scores: number[];
}

/** The state of a game with each seat's riichi sticks on the table. */
interface SettlementState extends GameState {
  laid: number[];
}

export interface SettledHand {
  deltas: number[];
  /** Points after the hand, before leftover deposits are awarded at the end of the game. */
  scores: number[];
  laid: number[];
  next: SettlementState;
  places: number[] | null;
}

type Options = PaymentsInfo["options"];
type Rules = { [Section in keyof Options]: Required<Options[Section]> }; // the server sends every option

/** A hand being settled; `state` is the game including this hand's riichi sticks. */
interface HandContext {
  hand: Hand;
  state: SettlementState;
  laid: readonly number[];
  dealer: number;
  table: PaymentsInfo;
  rules: Rules;
}

/** How a hand ends: payments without new riichi sticks, remaining deposits, and whether the dealer stays. */
interface Outcome {
  ended: "won" | "exhausted" | "abort" | "void";
  paid: number[];
  left: number;
  dealerStays: boolean;
}

const CHOMBO: readonly string[] = ["chombo", "expulsion"];
const FALSE_WINS: readonly string[] = ["false_win_shown", "false_win_called", "false_win_in_riichi", "furiten_ron"];
const FOUL_DEPOSIT = 1000;
const MANGAN_BASE = 2000;
const YAKUMAN_BASE = 8000;
const LIMIT_BASE = { mangan: MANGAN_BASE, haneman: 3000, baiman: 4000, sanbaiman: 6000 };
const MAX_DOUBLINGS = 40;
const MAX_BASE = 10 ** 12;

function rulesOf(table: PaymentsInfo): Rules {
  return table.options as Rules;
}

export function initialState(table: PaymentsInfo): SettlementState {
  return { number: 0, honba: 0, deposits: 0, scores: zeros(table).fill(table.start_points), laid: zeros(table) };
}

function zeros({ seats }: PaymentsInfo): number[] {
  return seatsOf(seats).fill(0);
}

/** The penalty for a foul. A false win beside a valid ron is no chombo, and noten riichi matters only in a draw. */
function penaltyOf({ seat, foul }: Foul, hand: Hand, table: PaymentsInfo): string {
  const { draw } = rulesOf(table);
  const cost = table.fouls[foul] ?? "none";
  if (foul === "noten_riichi") {
    if (hand.end === "ron" || hand.end === "tsumo") return "none";
    const allInRiichi = (hand.riichi ?? []).length === table.seats && draw.suucha_riichi;
    if (hand.kind === "suucha_riichi" || (hand.end === "foul" && allInRiichi)) return draw.suucha_riichi_noten;
  }
  const involved = seat === hand.from || (hand.wins ?? []).some((win) => win.seat === seat);
  const besideRon = hand.end === "ron" && !involved && FALSE_WINS.includes(foul);
  return besideRon && CHOMBO.includes(cost) ? "none" : cost;
}

export function seatsPenalised(costs: readonly string[], hand: Hand, table: PaymentsInfo): number[] {
  return (hand.fouls ?? []).filter((foul) => costs.includes(penaltyOf(foul, hand, table))).map(({ seat }) => seat);
}

export function voidsHand(foul: Foul, hand: Hand, table: PaymentsInfo): boolean {
  return CHOMBO.includes(penaltyOf(foul, hand, table));
}

/** The wins that count under the rules; several rons are ordered from the discarder in turn order. */
export function countedWins(hand: Hand, table: PaymentsInfo): readonly Win[] {
  const { wins = [], from } = hand;
  if (hand.end !== "ron" || from == null) return wins;
  const { draw, win } = rulesOf(table);
  if (wins.length === 3 && draw.sanchahou) return [];
  const nearest = inTurn(from, table.seats).flatMap((seat) => wins.filter((each) => each.seat === seat));
  const limit = win.multiple_ron.startsWith("head_bump") ? 1 : win.multiple_ron === "nearest_two" ? 2 : 3;
  return nearest.slice(0, limit);
}

/** Sticks placed by each seat, including deposit penalties; none in a voided hand, which returns them. */
export function placedSticks(hand: Hand, table: PaymentsInfo): number[] {
  if (hand.end === "foul") return zeros(table);
  const { riichi } = rulesOf(table);
  const keepsStick = hand.riichi_tile && riichi.stick_when_declaration_is_ronned === "kept";
  const fine = riichi.deposit ? Math.floor(FOUL_DEPOSIT / riichi.deposit) : 0;
  const fined = seatsPenalised(["deposit_1000"], hand, table);
  return seatsOf(table.seats).map((seat) => {
    const declared = (hand.riichi ?? []).includes(seat) && !(keepsStick && seat === hand.from);
    return Number(declared) + fine * fined.filter((other) => other === seat).length;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Add `times` × `other` to `one`, seat by seat. */
function addBySeat(one: readonly number[], other: readonly number[], times = 1): number[] {
  return one.map((points, seat) => points + times * (other[seat] ?? 0));
}

function give(points: number[], seat: number, amount: number): void {
  points[seat] = (points[seat] ?? 0) + amount;
}

function pay(points: number[], from: number, to: number, amount: number): void {
  give(points, from, -amount);
  give(points, to, amount);
}

function roundUpToHundred(points: number): number {
  return Math.ceil(points / 100) * 100;
}

/** Share `index` of `total` split into `parts` by hundreds; the first shares get the remaining hundreds. */
function shareOf(total: number, parts: number, index: number): number {
  const whole = Math.floor(total / 100);
  const share = Math.floor(whole / parts) * 100 + (index < whole % parts ? 100 : 0);
  return index === 0 ? share + (total % 100) : share;
}

function honbaShare(honba: number, { score, match }: Rules): number {
  return roundUpToHundred(Math.ceil((honba * score.honba_value) / (match.players - 1)));
}

/** Base points: a quarter of a non-dealer's ron. */
function baseOf({ yakuman, limit, han = 0, fu = 0 }: Win, { score }: Rules): number {
  if (yakuman) return YAKUMAN_BASE * yakuman;
  if (limit) return LIMIT_BASE[limit];
  const raised = han <= 1 && fu === 20 && !score.one_han_20_fu && !score.fixed_fu;
  const base = (fu + (raised ? 10 : 0)) * 2 ** Math.min(2 + han, MAX_DOUBLINGS);
  const limited = !score.aotenjou && (han >= 5 || base > MANGAN_BASE || (score.kiriage_mangan && base === 1920));
  if (!limited) return han === 0 && score.zero_han_win === "none" ? 0 : Math.min(base, MAX_BASE);
  if (han >= 13 && score.kazoe !== "sanbaiman")
    return YAKUMAN_BASE * (score.kazoe === "multiples" ? Math.floor(han / 13) : 1);
  return LIMIT_BASE[han >= 11 ? "sanbaiman" : han >= 8 ? "baiman" : han >= 6 ? "haneman" : "mangan"];
}

function ronPoints(dealer: boolean, base: number): number {
  return base * (dealer ? 6 : 4);
}

/** One player's payment for a tsumo; with three players, `missing_share` decides what happens to the fourth share. */
function tsumoShare(winnerDeals: boolean, payerDeals: boolean, base: number, { match, score }: Rules): number {
  const times = winnerDeals || payerDeals ? 2 : 1;
  const share = roundUpToHundred(times * base);
  const { players } = match;
  const missing = MAX_SEATS - players;
  if (!missing || !base || score.missing_share === "lost") return share;
  if (score.missing_share === "plus_1000") return share + 1000 * missing;
  if (score.missing_share === "split")
    return (
      share + roundUpToHundred(Math.ceil((missing * roundUpToHundred((winnerDeals ? 2 : 1) * base)) / (players - 1)))
    );
  const part = roundUpToHundred(ronPoints(winnerDeals, base)) * (winnerDeals ? 1 : times);
  return Math.round(part / (winnerDeals ? players - 1 : players) / 100) * 100;
}

/** Deltas of a tsumo with these base points, without honba and sticks. */
function tsumoPayments(winner: number, base: number, { dealer, table, rules }: HandContext): number[] {
  const points = zeros(table);
  for (const seat of points.keys())
    if (seat !== winner) pay(points, seat, winner, tsumoShare(winner === dealer, seat === dealer, base, rules));
  return points;
}

/** Deltas of a win with `honba` but without sticks, as in `jantaku.kernels.payments`. */
function winPayments(win: Win, honba: number, context: HandContext): number[] {
  const { hand, dealer, table, rules } = context;
  const { seat: winner, pao, feeder } = win;
  const from = hand.end === "ron" ? (hand.from ?? null) : null;
  const others = seatsOf(table.seats).filter((seat) => seat !== winner);
  const base = baseOf(win, rules);
  const yakuman = rules.pao.scope === "whole_hand" ? win.yakuman : (pao?.yakuman ?? win.yakuman);
  const owed = !pao ? 0 : rules.score.aotenjou ? base : YAKUMAN_BASE * (yakuman ?? 1);
  const points = tsumoPayments(winner, from === null ? base - owed : 0, context);
  if (from !== null) pay(points, from, winner, roundUpToHundred(ronPoints(winner === dealer, base - owed)));
  if (pao && owed) {
    const whole =
      from === null ? (tsumoPayments(winner, owed, context)[winner] ?? 0) : ronPoints(winner === dealer, owed);
    // The liable seats share the payment with the discarder
    const payTogether = (liable: readonly number[], amount: number): void => {
      const seats = [...new Set(from === null ? liable : [...liable, from])];
      for (const seat of seats) pay(points, seat, winner, roundUpToHundred(Math.ceil(amount / seats.length)));
    };
    if (rules.pao[from === null ? "tsumo" : "ron"] === "equal_shares") payTogether(pao.seats, whole);
    else for (const seat of pao.seats) payTogether([seat], Math.ceil(whole / pao.seats.length));
  }
  const byLiable = owed > 0 && (from === null || rules.pao.honba === "liable");
  const honbaPayer = byLiable ? (pao?.seats[0] ?? from) : from;
  for (const seat of others) {
    const wareme = hand.wareme === seat || hand.wareme === winner ? rules.score.wareme : "off";
    if (wareme !== "off") pay(points, seat, winner, -(points[seat] ?? 0));
    const each =
      honbaPayer === null ? honbaShare(honba, rules) : seat === honbaPayer ? honba * rules.score.honba_value : 0;
    pay(points, seat, winner, wareme === "hand_and_honba" ? 2 * each : each);
  }
  if (feeder != null && rules.pao.rinshan_after_daiminkan === "feeder_pays")
    for (const seat of others.filter((other) => other !== feeder)) pay(points, feeder, seat, -(points[seat] ?? 0));
  return points;
}

/** Award the sticks to the winners, nearest first; return how many stay on the table. */
function takeSticks(winners: readonly number[], paid: number[], { hand, state, laid, rules }: HandContext): number {
  const recipients = winners.map((seat) => {
    const riichi = hand.riichi?.includes(seat) ?? false;
    const takes =
      rules.riichi.sticks_to === "any_winner" ||
      riichi ||
      state.number >= lastHand(rules.match.length, rules.match.players);
    return { seat, riichi, takes };
  });
  const { deposits_to } = rules.win;
  const take = (seat: number, sticks: number): void => give(paid, seat, sticks * rules.riichi.deposit);
  let [all, fresh] = [state.deposits, sum(laid)];
  for (const { seat, riichi } of recipients) {
    if (deposits_to !== "own_first" || !riichi || all === 0) continue;
    take(seat, 1);
    all -= 1;
    fresh = Math.max(fresh - 1, 0);
  }
  if (recipients.every(({ takes }) => takes)) fresh = 0;
  let older = all - fresh;
  const part = (left: number, among: number): number => (deposits_to === "split" ? Math.ceil(left / among) : left);
  recipients.forEach(({ seat, takes }, i) => {
    const old = takes ? part(older, recipients.slice(i).filter((taker) => taker.takes).length) : 0;
    const own = part(fresh, recipients.length - i);
    take(seat, old + own);
    older -= old;
    fresh -= own;
  });
  return older;
}

function settleWins(wins: readonly Win[], context: HandContext): Outcome {
  const { state, dealer, table, rules } = context;
  const seats = wins.map(({ seat }) => seat);
  const paid = wins
    .map((win, i) => winPayments(win, i === 0 || rules.win.honba_to === "each" ? state.honba : 0, context))
    .reduce((one, other) => addBySeat(one, other), zeros(table));
  const left = takeSticks(seats, paid, context);
  return { ended: "won", paid, left, dealerStays: seats.includes(dealer) && rules.deal.renchan !== "none" };
}

function settleExhaustiveDraw(context: HandContext): Outcome {
  const { hand, state, dealer, table, rules } = context;
  const dead = seatsPenalised(["dead_hand"], hand, table);
  const noten = seatsPenalised(["dead_hand", "noten_at_draw"], hand, table);
  const tenpai = (hand.tenpai ?? []).filter((seat) => !noten.includes(seat));
  const counts = rules.draw.nagashi_mangan !== "off" && table.nagashi_base > 0;
  const nagashi = inTurn(dealer, table.seats).filter(
    (seat) => counts && hand.nagashi?.includes(seat) && !dead.includes(seat),
  );
  const [first] = nagashi;
  const dealerStays = tenpai.includes(dealer) && rules.deal.renchan === "tenpai";
  if (first === undefined)
    return { ended: "exhausted", paid: notenPayments(tenpai, context), left: state.deposits, dealerStays };
  // Every nagashi mangan is paid like a tsumo; if it counts as a win, the first also takes honba and sticks
  const paid = nagashi
    .map((seat) => tsumoPayments(seat, table.nagashi_base, context))
    .reduce((one, other) => addBySeat(one, other));
  if (rules.draw.nagashi_mangan !== "as_win") return { ended: "exhausted", paid, left: state.deposits, dealerStays };
  for (const seat of paid.keys()) pay(paid, seat, first, honbaShare(state.honba, rules));
  const left = takeSticks([first], paid, context);
  return { ended: "won", paid, left, dealerStays: nagashi.includes(dealer) && rules.deal.renchan !== "none" };
}

function notenPayments(tenpai: readonly number[], { table, rules }: HandContext): number[] {
  const noten = table.seats - tenpai.length;
  const total = tenpai.length && noten ? rules.draw.noten_payment : 0;
  let [received, paid] = [0, 0];
  return seatsOf(table.seats).map((seat) =>
    tenpai.includes(seat) ? shareOf(total, tenpai.length, received++) : 0 - shareOf(total, noten, paid++),
  );
}

function chombo({ hand, dealer, table, rules }: HandContext): number[] {
  const paid = zeros(table);
  const { chombo: way, chombo_points: points } = rules.fouls;
  for (const seat of new Set(way === "deduct" ? [] : seatsPenalised(CHOMBO, hand, table)))
    for (const [i, other] of inTurn(seat, table.seats).slice(1).entries()) {
      const mangan = MANGAN_BASE * (seat === dealer || other === dealer ? 2 : 1);
      const flat = shareOf(points, table.seats - 1, i);
      pay(paid, seat, other, way === "mangan" ? mangan : way === "flat" ? flat : points);
    }
  return paid;
}

function outcomeOf(context: HandContext): Outcome {
  const { hand, state, dealer, table, rules } = context;
  if (hand.end === "draw") return settleExhaustiveDraw(context);
  if (hand.end === "foul") return { ended: "void", paid: chombo(context), left: state.deposits, dealerStays: true };
  const wins = hand.end === "abort" ? [] : countedWins(hand, table);
  if (wins.length) return settleWins(wins, context);
  const { dealer_after_triple_ron: triple, dealer_after_abort } = rules.draw;
  const dealerStays =
    hand.end !== "abort" || hand.kind === "sanchahou"
      ? triple === "stays" || (triple !== "passes" && hand.from !== dealer)
      : dealer_after_abort === "stays";
  return { ended: "abort", paid: zeros(table), left: state.deposits, dealerStays };
}

function nextHonba({ ended, dealerStays }: Outcome, honba: number, { draw }: Rules): number {
  if (ended === "void") return honba;
  if (ended === "won") return dealerStays ? honba + 1 : 0;
  return ended === "exhausted" || draw.honba_after_abort === "adds" ? honba + 1 : honba;
}

function aheadOf(scores: readonly number[], seat: number, { match }: Rules): number {
  const mine = scores[seat] ?? 0;
  return scores.filter((theirs, other) => theirs > mine || (theirs === mine && other < seat && match.tie !== "share"))
    .length;
}

/** Whether a hand ends the game. `stop`: a leading dealer who may end it in the last hand does so. */
function endsGame(
  { ended, dealerStays }: Outcome,
  scores: readonly number[],
  stop: boolean,
  { state, dealer, rules }: HandContext,
): boolean {
  if (ended === "void") return false;
  const { tobi, top_points, extension, extension_target, agari_yame, tenpai_yame, dealer_stop_points } = rules.end;
  const highest = Math.max(...scores);
  const isBusted = (points: number): boolean => points < 0 || (points === 0 && tobi === "zero_or_below");
  if ((tobi !== "off" && scores.some(isBusted)) || (top_points > 0 && top_points <= highest)) return true;
  const last = lastHand(rules.match.length, rules.match.players);
  if (state.number < last) return false;
  if (dealerStays) {
    const rule = ended === "won" ? agari_yame : ended === "exhausted" ? tenpai_yame : "off";
    const leads = aheadOf(scores, dealer, rules) === 0 && (scores[dealer] ?? 0) >= dealer_stop_points;
    return leads && (rule === "forced" || (rule !== "off" && stop));
  }
  const extended = extension === "sudden_death" && state.number < last + rules.match.players;
  return !extended || highest >= extension_target;
}

/** End a game: award unclaimed deposits as the rules say and rank the players. */
function finishGame(state: SettlementState, rules: Rules): Pick<SettledHand, "next" | "places"> {
  const { leftover_deposits: to } = rules.end;
  const scores = to === "riichi_owner" ? addBySeat(state.scores, state.laid, rules.riichi.deposit) : [...state.scores];
  const places = scores.map((_, seat) => aheadOf(scores, seat, rules) + 1);
  const first = seatsOf(scores.length).filter((seat) => places[seat] === 1);
  if (to === "first")
    first.forEach((seat, i) => give(scores, seat, shareOf(state.deposits * rules.riichi.deposit, first.length, i)));
  const none = { deposits: 0, laid: scores.map(() => 0) };
  return { next: { ...state, ...(to === "nobody" ? {} : none), scores }, places };
}

/** Settle a hand. `stop`: a dealer who may end the game in the last hand does so. */
export function settleHand(hand: Hand, before: SettlementState, table: PaymentsInfo, stop: boolean): SettledHand {
  const rules = rulesOf(table);
  const laid = placedSticks(hand, table);
  const state = { ...before, deposits: before.deposits + sum(laid), laid: addBySeat(before.laid, laid) };
  const context: HandContext = { hand, state, laid, dealer: before.number % table.seats, table, rules };
  const outcome = outcomeOf(context);
  const { left, paid, dealerStays } = outcome;
  const deltas = addBySeat(paid, laid, -rules.riichi.deposit);
  const scores = addBySeat(before.scores, deltas);
  const over = endsGame(outcome, scores, stop, context);
  const next = {
    deposits: left,
    laid: left === 0 ? zeros(table) : left === state.deposits ? state.laid : before.laid,
    scores,
    honba: nextHonba(outcome, before.honba, rules),
    number: before.number + (over || dealerStays ? 0 : 1),
  };
  return { deltas, scores, laid, ...(over ? finishGame(next, rules) : { next, places: null }) };
}

export const TABLE = -1; // pseudo-seat for sticks on the table

export interface Handover {
  from: number;
  to: number;
  points: number;
}

/** Break points down into sticks, largest first, as counts by value; null if a remainder is left. */
export function sticksOf(points: number, values: Iterable<number>): Record<string, number> | null {
  const totals: Record<string, number> = {};
  let rest = points;
  for (const value of [...values].sort((a, b) => b - a)) {
    const count = Math.floor(rest / value);
    if (count > 0) totals[value] = count;
    rest -= count * value;
  }
  return rest === 0 ? totals : null;
}

/**
 * List the payments that settle a hand.
 *
 * `laid` counts the riichi sticks of `deposit` points placed by each seat. In turn order from `first`, each player with a
 * gain takes deposits from the table, then points from the paying players.
 */
export function handovers(
  deltas: readonly number[],
  laid: readonly number[],
  deposit: number,
  first: number,
): Handover[] {
  const order = inTurn(first, deltas.length);
  const open = addBySeat(deltas, laid, deposit);
  const moved: Handover[] = laid.flatMap((sticks, from) =>
    sticks * deposit ? [{ from, to: TABLE, points: sticks * deposit }] : [],
  );
  let pot = Math.max(0, sum(open));
  const givers = order.filter((seat) => (open[seat] ?? 0) < 0);
  for (const to of order.filter((seat) => (open[seat] ?? 0) > 0)) {
    let due = open[to] ?? 0;
    const taken = Math.min(pot, due);
    if (taken > 0) moved.push({ from: TABLE, to, points: taken });
    pot -= taken;
    due -= taken;
    for (const from of givers) {
      const points = Math.min(due, -(open[from] ?? 0));
      if (points <= 0) continue;
      moved.push({ from, to, points });
      give(open, from, points);
      due -= points;
    }
  }
  return moved;
}
