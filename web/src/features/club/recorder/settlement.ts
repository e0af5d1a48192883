// Settles hands as the server does (`jantaku.club.settlement`), so that a phone needs no network to say what they come to.
import type { PaymentsInfo } from "$generated/wire";
import { from as inTurn, lastHand, MOST_SEATS, seatsOf } from "$domain/seats";
import type { Foul, Hand, Win } from "$domain/enteredHand";

/** Where a game stands before a hand. */
export interface Standing {
  number: number;
  honba: number;
  deposits: number;
  scores: number[];
}

/** The same, with the sticks on the table by who laid them. */
interface State extends Standing {
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

type Options = PaymentsInfo["options"];
type Rules = { [Section in keyof Options]: Required<Options[Section]> }; // the server sends every option

/** A hand that is being settled: `on` is the state with its sticks on the table. */
interface Played {
  hand: Hand;
  on: State;
  laid: readonly number[];
  dealer: number;
  table: PaymentsInfo;
  rules: Rules;
}

/** How a hand ends: what moves beside the sticks that are laid, how many stay on the table, and whether the dealer stays. */
interface Outcome {
  ended: "won" | "exhausted" | "abort" | "void";
  paid: number[];
  left: number;
  stays: boolean;
}

const CHOMBO: readonly string[] = ["chombo", "expulsion"];
const FALSE_WINS: readonly string[] = ["false_win_shown", "false_win_called", "false_win_in_riichi", "furiten_ron"];
const FOUL_DEPOSIT = 1000;
const MANGAN_BASE = 2000;
const YAKUMAN_BASE = 8000;
const LIMIT_BASE = { mangan: MANGAN_BASE, haneman: 3000, baiman: 4000, sanbaiman: 6000 };
const MOST_DOUBLINGS = 40;
const MOST_BASE = 10 ** 12;

function rulesOf(table: PaymentsInfo): Rules {
  return table.options as Rules;
}

export function begun(table: PaymentsInfo): State {
  return { number: 0, honba: 0, deposits: 0, scores: nothing(table).fill(table.start_points), laid: nothing(table) };
}

function nothing({ seats }: PaymentsInfo): number[] {
  return seatsOf(seats).fill(0);
}

/** What a foul costs in a hand: a false win beside a ron that stands costs no chombo, and noten riichi none without a draw. */
function costOf({ seat, foul }: Foul, hand: Hand, table: PaymentsInfo): string {
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
  const { wins = [], from } = hand;
  if (hand.end !== "ron" || from == null) return wins;
  const { draw, win } = rulesOf(table);
  if (wins.length === 3 && draw.sanchahou) return [];
  const nearest = inTurn(from, table.seats).flatMap((seat) => wins.filter((each) => each.seat === seat));
  const most = win.multiple_ron.startsWith("head_bump") ? 1 : win.multiple_ron === "nearest_two" ? 2 : 3;
  return nearest.slice(0, most);
}

/** How many sticks each seat lays in a hand; none in a void one, which returns them. */
export function laidIn(hand: Hand, table: PaymentsInfo): number[] {
  if (hand.end === "foul") return nothing(table);
  const { riichi } = rulesOf(table);
  const kept = hand.riichi_tile && riichi.stick_when_declaration_is_ronned === "kept";
  const fine = riichi.deposit ? Math.floor(FOUL_DEPOSIT / riichi.deposit) : 0;
  const fined = fouledBy(["deposit_1000"], hand, table);
  return seatsOf(table.seats).map((seat) => {
    const declared = (hand.riichi ?? []).includes(seat) && !(kept && seat === hand.from);
    return Number(declared) + fine * fined.filter((other) => other === seat).length;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The points of each seat and `times` what others say. */
function added(one: readonly number[], other: readonly number[], times = 1): number[] {
  return one.map((points, seat) => points + times * (other[seat] ?? 0));
}

function give(points: number[], seat: number, amount: number): void {
  points[seat] = (points[seat] ?? 0) + amount;
}

function pay(points: number[], from: number, to: number, amount: number): void {
  give(points, from, -amount);
  give(points, to, amount);
}

function hundreds(points: number): number {
  return Math.ceil(points / 100) * 100;
}

/** Share `index` of `total` in `parts`: whole hundreds; the first shares get the odd hundreds. */
function partOf(total: number, parts: number, index: number): number {
  const whole = Math.floor(total / 100);
  const share = Math.floor(whole / parts) * 100 + (index < whole % parts ? 100 : 0);
  return index === 0 ? share + (total % 100) : share;
}

function honbaShare(honba: number, { score, match }: Rules): number {
  return hundreds(Math.ceil((honba * score.honba_value) / (match.players - 1)));
}

/** Base points: a quarter of what a ron of somebody else than the dealer costs. */
function baseOf({ yakuman, limit, han = 0, fu = 0 }: Win, { score }: Rules): number {
  if (yakuman) return YAKUMAN_BASE * yakuman;
  if (limit) return LIMIT_BASE[limit];
  const lifts = han <= 1 && fu === 20 && !score.one_han_20_fu && !score.fixed_fu;
  const base = (fu + (lifts ? 10 : 0)) * 2 ** Math.min(2 + han, MOST_DOUBLINGS);
  const limited = !score.aotenjou && (han >= 5 || base > MANGAN_BASE || (score.kiriage_mangan && base === 1920));
  if (!limited) return han === 0 && score.zero_han_win === "none" ? 0 : Math.min(base, MOST_BASE);
  if (han >= 13 && score.kazoe !== "sanbaiman")
    return YAKUMAN_BASE * (score.kazoe === "multiples" ? Math.floor(han / 13) : 1);
  return LIMIT_BASE[han >= 11 ? "sanbaiman" : han >= 8 ? "baiman" : han >= 6 ? "haneman" : "mangan"];
}

function ronPoints(dealer: boolean, base: number): number {
  return base * (dealer ? 6 : 4);
}

/** What a payer gives for a tsumo; with fewer than four players the rules say who makes up for the missing ones. */
function tsumoShare(winnerDeals: boolean, payerDeals: boolean, base: number, { match, score }: Rules): number {
  const times = winnerDeals || payerDeals ? 2 : 1;
  const share = hundreds(times * base);
  const { players } = match;
  const missing = MOST_SEATS - players;
  if (!missing || !base || score.missing_share === "lost") return share;
  if (score.missing_share === "plus_1000") return share + 1000 * missing;
  if (score.missing_share === "split")
    return share + hundreds(Math.ceil((missing * hundreds((winnerDeals ? 2 : 1) * base)) / (players - 1)));
  const part = hundreds(ronPoints(winnerDeals, base)) * (winnerDeals ? 1 : times);
  return Math.round(part / (winnerDeals ? players - 1 : players) / 100) * 100;
}

/** The deltas of a tsumo of these base points, without honba and sticks. */
function paidTsumo(winner: number, base: number, { dealer, table, rules }: Played): number[] {
  const points = nothing(table);
  for (const seat of points.keys())
    if (seat !== winner) pay(points, seat, winner, tsumoShare(winner === dealer, seat === dealer, base, rules));
  return points;
}

/** What a win pays each seat, with its `honba`, without sticks: the same as `jantaku.kernels.payments`. */
function paidFor(win: Win, honba: number, played: Played): number[] {
  const { hand, dealer, table, rules } = played;
  const { seat: winner, pao, feeder } = win;
  const from = hand.end === "ron" ? (hand.from ?? null) : null;
  const others = seatsOf(table.seats).filter((seat) => seat !== winner);
  const base = baseOf(win, rules);
  const yakuman = rules.pao.scope === "whole_hand" ? win.yakuman : (pao?.yakuman ?? win.yakuman);
  const owed = !pao ? 0 : rules.score.aotenjou ? base : YAKUMAN_BASE * (yakuman ?? 1);
  const points = paidTsumo(winner, from === null ? base - owed : 0, played);
  if (from !== null) pay(points, from, winner, hundreds(ronPoints(winner === dealer, base - owed)));
  if (pao && owed) {
    const whole = from === null ? (paidTsumo(winner, owed, played)[winner] ?? 0) : ronPoints(winner === dealer, owed);
    // The liable seats pay together with whoever dealt in
    const together = (liable: readonly number[], amount: number): void => {
      const seats = [...new Set(from === null ? liable : [...liable, from])];
      for (const seat of seats) pay(points, seat, winner, hundreds(Math.ceil(amount / seats.length)));
    };
    if (rules.pao[from === null ? "tsumo" : "ron"] === "equal_shares") together(pao.seats, whole);
    else for (const seat of pao.seats) together([seat], Math.ceil(whole / pao.seats.length));
  }
  const byLiable = owed > 0 && (from === null || rules.pao.honba === "liable");
  const alone = byLiable ? (pao?.seats[0] ?? from) : from;
  for (const seat of others) {
    const wareme = hand.wareme === seat || hand.wareme === winner ? rules.score.wareme : "off";
    if (wareme !== "off") pay(points, seat, winner, -(points[seat] ?? 0));
    const each = alone === null ? honbaShare(honba, rules) : seat === alone ? honba * rules.score.honba_value : 0;
    pay(points, seat, winner, wareme === "hand_and_honba" ? 2 * each : each);
  }
  if (feeder != null && rules.pao.rinshan_after_daiminkan === "feeder_pays")
    for (const seat of others.filter((other) => other !== feeder)) pay(points, feeder, seat, -(points[seat] ?? 0));
  return points;
}

/** Give each winner their sticks, the nearest first; how many stay on the table. */
function takeSticks(winners: readonly number[], paid: number[], { hand, on, laid, rules }: Played): number {
  const takers = winners.map((seat) => {
    const riichi = hand.riichi?.includes(seat) ?? false;
    const takes =
      rules.riichi.sticks_to === "any_winner" ||
      riichi ||
      on.number >= lastHand(rules.match.length, rules.match.players);
    return { seat, riichi, takes };
  });
  const { deposits_to } = rules.win;
  const take = (seat: number, sticks: number): void => give(paid, seat, sticks * rules.riichi.deposit);
  let [all, fresh] = [on.deposits, sum(laid)];
  for (const { seat, riichi } of takers) {
    if (deposits_to !== "own_first" || !riichi || all === 0) continue;
    take(seat, 1);
    all -= 1;
    fresh = Math.max(fresh - 1, 0);
  }
  if (takers.every(({ takes }) => takes)) fresh = 0;
  let older = all - fresh;
  const part = (left: number, among: number): number => (deposits_to === "split" ? Math.ceil(left / among) : left);
  takers.forEach(({ seat, takes }, i) => {
    const old = takes ? part(older, takers.slice(i).filter((taker) => taker.takes).length) : 0;
    const own = part(fresh, takers.length - i);
    take(seat, old + own);
    older -= old;
    fresh -= own;
  });
  return older;
}

function won(wins: readonly Win[], played: Played): Outcome {
  const { on, dealer, table, rules } = played;
  const seats = wins.map(({ seat }) => seat);
  const paid = wins
    .map((win, i) => paidFor(win, i === 0 || rules.win.honba_to === "each" ? on.honba : 0, played))
    .reduce((one, other) => added(one, other), nothing(table));
  const left = takeSticks(seats, paid, played);
  return { ended: "won", paid, left, stays: seats.includes(dealer) && rules.deal.renchan !== "none" };
}

function exhausted(played: Played): Outcome {
  const { hand, on, dealer, table, rules } = played;
  const dead = fouledBy(["dead_hand"], hand, table);
  const noten = fouledBy(["dead_hand", "noten_at_draw"], hand, table);
  const tenpai = (hand.tenpai ?? []).filter((seat) => !noten.includes(seat));
  const counts = rules.draw.nagashi_mangan !== "off" && table.nagashi_base > 0;
  const nagashi = inTurn(dealer, table.seats).filter(
    (seat) => counts && hand.nagashi?.includes(seat) && !dead.includes(seat),
  );
  const [first] = nagashi;
  const stays = tenpai.includes(dealer) && rules.deal.renchan === "tenpai";
  if (first === undefined) return { ended: "exhausted", paid: notenPaid(tenpai, played), left: on.deposits, stays };
  // Every nagashi mangan is paid like a tsumo; where it counts as a win, the first also takes honba and sticks
  const paid = nagashi
    .map((seat) => paidTsumo(seat, table.nagashi_base, played))
    .reduce((one, other) => added(one, other));
  if (rules.draw.nagashi_mangan !== "as_win") return { ended: "exhausted", paid, left: on.deposits, stays };
  for (const seat of paid.keys()) pay(paid, seat, first, honbaShare(on.honba, rules));
  const left = takeSticks([first], paid, played);
  return { ended: "won", paid, left, stays: nagashi.includes(dealer) && rules.deal.renchan !== "none" };
}

function notenPaid(tenpai: readonly number[], { table, rules }: Played): number[] {
  const noten = table.seats - tenpai.length;
  const total = tenpai.length && noten ? rules.draw.noten_payment : 0;
  let [received, paid] = [0, 0];
  return seatsOf(table.seats).map((seat) =>
    tenpai.includes(seat) ? partOf(total, tenpai.length, received++) : 0 - partOf(total, noten, paid++),
  );
}

function chombo({ hand, dealer, table, rules }: Played): number[] {
  const paid = nothing(table);
  const { chombo: way, chombo_points: points } = rules.fouls;
  for (const seat of new Set(way === "deduct" ? [] : fouledBy(CHOMBO, hand, table)))
    for (const [i, other] of inTurn(seat, table.seats).slice(1).entries()) {
      const mangan = MANGAN_BASE * (seat === dealer || other === dealer ? 2 : 1);
      const flat = partOf(points, table.seats - 1, i);
      pay(paid, seat, other, way === "mangan" ? mangan : way === "flat" ? flat : points);
    }
  return paid;
}

function outcomeOf(played: Played): Outcome {
  const { hand, on, dealer, table, rules } = played;
  if (hand.end === "draw") return exhausted(played);
  if (hand.end === "foul") return { ended: "void", paid: chombo(played), left: on.deposits, stays: true };
  const wins = hand.end === "abort" ? [] : counted(hand, table);
  if (wins.length) return won(wins, played);
  const { dealer_after_triple_ron: triple, dealer_after_abort } = rules.draw;
  const stays =
    hand.end !== "abort" || hand.kind === "sanchahou"
      ? triple === "stays" || (triple !== "passes" && hand.from !== dealer)
      : dealer_after_abort === "stays";
  return { ended: "abort", paid: nothing(table), left: on.deposits, stays };
}

function nextHonba({ ended, stays }: Outcome, honba: number, { draw }: Rules): number {
  if (ended === "void") return honba;
  if (ended === "won") return stays ? honba + 1 : 0;
  return ended === "exhausted" || draw.honba_after_abort === "adds" ? honba + 1 : honba;
}

function aheadOf(scores: readonly number[], seat: number, { match }: Rules): number {
  const mine = scores[seat] ?? 0;
  return scores.filter((theirs, other) => theirs > mine || (theirs === mine && other < seat && match.tie !== "share"))
    .length;
}

/** Whether a hand ends the game; `stop`: the dealer of the last hand, who leads and stays, ends it where that is a choice. */
function endsGame(
  { ended, stays }: Outcome,
  scores: readonly number[],
  stop: boolean,
  { on, dealer, rules }: Played,
): boolean {
  if (ended === "void") return false;
  const { tobi, top_points, extension, extension_target, agari_yame, tenpai_yame, dealer_stop_points } = rules.end;
  const highest = Math.max(...scores);
  const busted = (points: number): boolean => points < 0 || (points === 0 && tobi === "zero_or_below");
  if ((tobi !== "off" && scores.some(busted)) || (top_points > 0 && top_points <= highest)) return true;
  const last = lastHand(rules.match.length, rules.match.players);
  if (on.number < last) return false;
  if (stays) {
    const rule = ended === "won" ? agari_yame : ended === "exhausted" ? tenpai_yame : "off";
    const leads = aheadOf(scores, dealer, rules) === 0 && (scores[dealer] ?? 0) >= dealer_stop_points;
    return leads && (rule === "forced" || (rule !== "off" && stop));
  }
  const extended = extension === "sudden_death" && on.number < last + rules.match.players;
  return !extended || highest >= extension_target;
}

/** The end of a game: sticks that nobody has won go to whoever the rules say. */
function finished(state: State, rules: Rules): Pick<SettledHand, "next" | "places"> {
  const { leftover_deposits: to } = rules.end;
  const scores = to === "riichi_owner" ? added(state.scores, state.laid, rules.riichi.deposit) : [...state.scores];
  const places = scores.map((_, seat) => aheadOf(scores, seat, rules) + 1);
  const first = seatsOf(scores.length).filter((seat) => places[seat] === 1);
  if (to === "first")
    first.forEach((seat, i) => give(scores, seat, partOf(state.deposits * rules.riichi.deposit, first.length, i)));
  const none = { deposits: 0, laid: scores.map(() => 0) };
  return { next: { ...state, ...(to === "nobody" ? {} : none), scores }, places };
}

/** Settle a hand; `stop`: the dealer of the last hand ends the game where that is a choice. */
export function settleHand(hand: Hand, before: State, table: PaymentsInfo, stop: boolean): SettledHand {
  const rules = rulesOf(table);
  const laid = laidIn(hand, table);
  const on = { ...before, deposits: before.deposits + sum(laid), laid: added(before.laid, laid) };
  const played: Played = { hand, on, laid, dealer: before.number % table.seats, table, rules };
  const outcome = outcomeOf(played);
  const { left, paid, stays } = outcome;
  const deltas = added(paid, laid, -rules.riichi.deposit);
  const scores = added(before.scores, deltas);
  const over = endsGame(outcome, scores, stop, played);
  const next = {
    deposits: left,
    laid: left === 0 ? nothing(table) : left === on.deposits ? on.laid : before.laid,
    scores,
    honba: nextHonba(outcome, before.honba, rules),
    number: before.number + (over || stays ? 0 : 1),
  };
  return { deltas, scores, laid, ...(over ? finished(next, rules) : { next, places: null }) };
}

export const TABLE = -1; // where riichi sticks lie

export interface Handover {
  from: number;
  to: number;
  points: number;
}

/** A stick of each value as often as it goes, the largest first; null if they do not make up the points. */
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
 * The payments of a hand.
 *
 * `laid` are the sticks of `deposit` points that each seat laid. Whoever gains takes the sticks on the table in turn order
 * from `first`, then what the others pay.
 */
export function handovers(
  deltas: readonly number[],
  laid: readonly number[],
  deposit: number,
  first: number,
): Handover[] {
  const order = inTurn(first, deltas.length);
  const open = added(deltas, laid, deposit);
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
