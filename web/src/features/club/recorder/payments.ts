// What one win pays each seat under any rules: the same as `jantaku.kernels.payments`, for hands without tiles.
import type { PaymentsInfo } from "$generated/wire";
import type { Hand, Win } from "$domain/enteredHand";
import { after, seatsOf } from "$domain/seats";

type Options = PaymentsInfo["options"];
export type Rules = { [Section in keyof Options]: Required<Options[Section]> };

export function rulesOf(table: PaymentsInfo): Rules {
  return table.options as Rules;
}

const YAKUMAN_BASE = 8000;
const LIMIT_BASE: Record<string, number> = { mangan: 2000, haneman: 3000, baiman: 4000, sanbaiman: 6000 };
const MOST_DOUBLINGS = 40;
const MOST_BASE = 10 ** 12;
const MOST_SEATS = 4;

export function hundreds(points: number): number {
  return Math.ceil(points / 100) * 100;
}

/** Share `index` of `total` in `parts`: whole hundreds; the first shares get the odd hundreds. */
export function partOf(total: number, parts: number, index: number): number {
  const whole = Math.floor(total / 100);
  const share = Math.floor(whole / parts) * 100 + (index < whole % parts ? 100 : 0);
  return index === 0 ? share + (total % 100) : share;
}

export function honbaShare(honba: number, rules: Rules): number {
  return hundreds(Math.ceil((honba * rules.score.honba_value) / (rules.match.players - 1)));
}

/** Base points of han and fu: a quarter of what a ron of somebody else than the dealer costs. */
function baseOfHan(han: number, counted: number, { score }: Rules): number {
  const lifts = han <= 1 && counted === 20 && !score.one_han_20_fu && !score.fixed_fu;
  const fu = counted + (lifts ? 10 : 0);
  const base = fu * 2 ** Math.min(2 + han, MOST_DOUBLINGS);
  const limited = !score.aotenjou && (han >= 5 || base > 2000 || (score.kiriage_mangan && base === 1920));
  if (!limited) return han === 0 && score.zero_han_win === "none" ? 0 : Math.min(base, MOST_BASE);
  if (han >= 13 && score.kazoe !== "sanbaiman")
    return YAKUMAN_BASE * (score.kazoe === "multiples" ? Math.floor(han / 13) : 1);
  return han >= 11 ? 6000 : han >= 8 ? 4000 : han >= 6 ? 3000 : 2000;
}

function baseOf(win: Win, rules: Rules): number {
  if (win.yakuman) return YAKUMAN_BASE * win.yakuman;
  return win.limit ? (LIMIT_BASE[win.limit] ?? 0) : baseOfHan(win.han ?? 0, win.fu ?? 0, rules);
}

function ronPoints(dealer: boolean, base: number): number {
  return base * (dealer ? 6 : 4);
}

/** What a payer gives for a tsumo; with fewer than four players the rules say who makes up for the missing ones. */
export function tsumoShare(winnerDeals: boolean, payerDeals: boolean, base: number, rules: Rules): number {
  const times = winnerDeals || payerDeals ? 2 : 1;
  const share = hundreds(times * base);
  const { players } = rules.match;
  const missing = MOST_SEATS - players;
  if (!missing || !base) return share;
  switch (rules.score.missing_share) {
    case "lost":
      return share;
    case "plus_1000":
      return share + 1000 * missing;
    case "split":
      return share + hundreds(Math.ceil((missing * hundreds((winnerDeals ? 2 : 1) * base)) / (players - 1)));
    case "in_proportion": {
      const whole = hundreds(ronPoints(winnerDeals, base));
      const parts = winnerDeals ? players - 1 : players;
      const part = winnerDeals ? whole : times * whole;
      return Math.floor((part + 50 * parts) / (100 * parts)) * 100;
    }
  }
}

class Payment {
  readonly points: number[];
  constructor(
    readonly winner: number,
    readonly dealer: number,
    readonly rules: Rules,
  ) {
    this.points = seatsOf(rules.match.players).map(() => 0);
  }

  of(seat: number): number {
    return this.points[seat] ?? 0;
  }

  get payers(): number[] {
    return seatsOf(this.rules.match.players).filter((seat) => seat !== this.winner);
  }

  pay(payer: number, points: number): void {
    this.points[payer] = this.of(payer) - points;
    this.points[this.winner] = this.of(this.winner) + points;
  }

  share(payer: number, base: number): number {
    return tsumoShare(this.winner === this.dealer, payer === this.dealer, base, this.rules);
  }

  ron(base: number): number {
    return ronPoints(this.winner === this.dealer, base);
  }

  tsumo(base: number): void {
    for (const seat of this.payers) this.pay(seat, this.share(seat, base));
  }
}

/** The deltas of a tsumo of these base points, without honba and sticks. */
export function paidTsumo(winner: number, dealer: number, base: number, rules: Rules): number[] {
  const payment = new Payment(winner, dealer, rules);
  payment.tsumo(base);
  return payment.points;
}

/** What the liable seats pay of `owed` base points, together with whoever dealt in. */
function payLiable(payment: Payment, liable: readonly number[], from: number | null, owed: number): void {
  const { rules } = payment;
  const whole =
    from === null ? payment.payers.reduce((sum, seat) => sum + payment.share(seat, owed), 0) : payment.ron(owed);
  const together = (seats: readonly number[], points: number): void => {
    const payers = [...new Set(from === null ? seats : [...seats, from])];
    const share = hundreds(Math.ceil(points / payers.length));
    for (const seat of payers) payment.pay(seat, share);
  };
  if (from === null ? rules.pao.tsumo === "equal_shares" : rules.pao.ron === "equal_shares") together(liable, whole);
  else for (const seat of liable) together([seat], Math.ceil(whole / liable.length));
}

function times(hand: Hand, seat: number, winner: number, counts: boolean): number {
  return counts && (hand.wareme === seat || hand.wareme === winner) ? 2 : 1;
}

/** What a win pays each seat, with its `honba`, without sticks. */
export function paidFor(win: Win, hand: Hand, dealer: number, honba: number, rules: Rules): number[] {
  const payment = new Payment(win.seat, dealer, rules);
  const from = hand.end === "ron" ? (hand.from ?? null) : null;
  const base = baseOf(win, rules);
  let owed = 0;
  if (win.pao) {
    const yakuman = rules.pao.scope === "whole_hand" ? win.yakuman : (win.pao.yakuman ?? win.yakuman);
    owed = rules.score.aotenjou ? base : YAKUMAN_BASE * (yakuman ?? 1);
    if (owed) payLiable(payment, win.pao.seats, from, owed);
  }
  if (from === null) payment.tsumo(base - owed);
  else payment.pay(from, hundreds(payment.ron(base - owed)));
  for (const seat of payment.payers)
    payment.pay(seat, -payment.of(seat) * (times(hand, seat, win.seat, rules.score.wareme !== "off") - 1));
  const byLiable = owed > 0 && (from === null || rules.pao.honba === "liable");
  const alone = byLiable ? (win.pao?.seats[0] ?? from) : from;
  for (const seat of payment.payers) {
    const each = alone === null ? honbaShare(honba, rules) : seat === alone ? honba * rules.score.honba_value : 0;
    payment.pay(seat, each * times(hand, seat, win.seat, rules.score.wareme === "hand_and_honba"));
  }
  if (win.feeder != null && rules.pao.rinshan_after_daiminkan === "feeder_pays") {
    const feeder = win.feeder;
    for (const seat of payment.payers.filter((other) => other !== feeder)) {
      payment.points[feeder] = payment.of(feeder) + payment.of(seat);
      payment.points[seat] = 0;
    }
  }
  return payment.points;
}

/** A winner as the sticks are shared: whether it laid one in this hand, and whether older ones may go to it. */
export interface Taker {
  riichi: boolean;
  takes: boolean;
}

/** How many of the sticks each winner takes, the nearest first, and how many stay on the table. */
export function sharedSticks(
  winners: readonly Taker[],
  deposits: number,
  laid: number,
  rules: Rules,
): { taken: number[]; left: number } {
  const { deposits_to } = rules.win;
  const taken = winners.map(() => 0);
  let [all, fresh] = [deposits, laid];
  winners.forEach(({ riichi }, i) => {
    if (deposits_to !== "own_first" || !riichi || all === 0) return;
    taken[i] = 1;
    all -= 1;
    fresh = Math.max(fresh - 1, 0);
  });
  if (winners.every(({ takes }) => takes)) fresh = 0;
  let carried = all - fresh;
  const part = (left: number, takers: number): number => (deposits_to === "split" ? Math.ceil(left / takers) : left);
  winners.forEach(({ takes }, i) => {
    const older = takes ? part(carried, winners.slice(i).filter((winner) => winner.takes).length) : 0;
    const newer = part(fresh, winners.length - i);
    taken[i] = (taken[i] ?? 0) + older + newer;
    carried -= older;
    fresh -= newer;
  });
  return { taken, left: carried + fresh };
}

/** The seats that win a ron, from the nearest to the discarder on; none if three make a draw. */
export function standing(wins: readonly Win[], from: number, rules: Rules): Win[] {
  const nearest = seatsOf(rules.match.players).flatMap((turns) =>
    wins.filter((win) => win.seat === after(from, rules.match.players, turns)),
  );
  if (wins.length === 3 && rules.draw.sanchahou) return [];
  const rule = rules.win.multiple_ron;
  const most = rule === "head_bump" || rule === "head_bump_triple_draw" ? 1 : rule === "nearest_two" ? 2 : 3;
  return nearest.slice(0, most);
}
