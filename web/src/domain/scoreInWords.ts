// The server's scores in words.
import type { RecordedScore } from "$generated/wire";
import { ownYakuName } from "./ownYakuNames.svelte";
import { WINDS } from "./seats";
import { maybe, number, t } from "./words.svelte";

export type Score = RecordedScore;

/** The payments for a tsumo by the dealer and by each other player, without honba. */
interface Split {
  others: number;
  dealer: number;
}

/** A winner's points by source: hand, honba, and deposits (the part no player pays). `split` is null unless a tsumo is shared. */
export function takings(score: Score, winner: number, tsumo: boolean) {
  const received = WINDS.flatMap((wind) => score.payments[wind] ?? []); // a wind without a seat has no entry
  const total = received[winner] ?? 0;
  const sticks = received.reduce((sum, points) => sum + points, 0);
  const honba = total - score.points - sticks;
  return {
    hand: score.points,
    honba,
    sticks,
    total,
    split: tsumo ? splitOf(received, winner, honba, score.points) : null,
  };
}

function splitOf(received: readonly number[], winner: number, honba: number, points: number): Split | null {
  const paid = received.flatMap((value, wind) => (wind === winner ? [] : [-value - honba / (received.length - 1)]));
  const others = paid.at(-1) ?? 0;
  const dealer = winner === 0 ? others : (paid[0] ?? 0);
  const paidTotal = paid.reduce((sum, value) => sum + value, 0);
  const even = paid.every((value, i) => value > 0 && value === (i === 0 ? dealer : others));
  return even && paidTotal === points ? { others, dealer } : null;
}

export function yakuName(id: string): string {
  return maybe(`yaku.${id}`, maybe(`explain.bonus.${id}`, ownYakuName(id) || id));
}

export function fuName(item: string): string {
  return maybe(`explain.fu.${item === "triplets" ? "triplet" : item}`, item);
}

/** "mangan", "double yakuman"; empty below mangan. */
export function limitName(score: Pick<Score, "yakuman" | "limit">): string {
  if (score.yakuman > 3) return maybe("explain.limit.many_yakuman", "").replace("{count}", String(score.yakuman));
  const names = ["", "yakuman", "double_yakuman", "triple_yakuman"];
  const name = names[score.yakuman] || score.limit;
  return name ? maybe(`explain.limit.${name}`, name) : "";
}

/** "3 han 40 fu", or "6 han" above mangan, where fu do not matter. Empty for a named yakuman. */
export function hanOf(score: Pick<Score, "yakuman" | "limit" | "han" | "fu">): string {
  if (score.han === null || score.yakuman > 0) return "";
  const high = score.limit !== null && score.limit !== "mangan";
  if (score.fu === null || high) return t("score.han", { han: score.han });
  return t("score.han_fu", { han: score.han, fu: score.fu });
}

/** The payments for a tsumo: "3,900 all", "700 / 1,300". */
export function splitWords({ others, dealer }: Split): string {
  if (others === dealer) return t("win.all", { points: number(others) });
  return t("win.split", { others: number(others), dealer: number(dealer) });
}

/** The value of a yaku: han, or how many yakuman. */
export function worthOf(han: number, score: Score): string {
  if (score.yakuman > 0) return han > 13 ? `×${Math.round(han / 13)}` : t("score.yakuman");
  return t("score.han", { han });
}

export function limitWord(limit: string): string {
  return maybe(`explain.limit.${limit}`, limit);
}

export function shantenWords(shanten: number): string {
  return shanten < 0 ? t("calc.complete") : shanten === 0 ? t("calc.tenpai") : t("table.shanten", { count: shanten });
}
