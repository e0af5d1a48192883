// A score as the server writes it, and its words.
import { maybe, t } from "./words.svelte";

export interface Score {
  han: number | null;
  fu: number | null;
  yakuman: number;
  limit: string | null;
  points: number;
  yaku: Record<string, number>;
  fu_items: Record<string, number>;
  payments: Record<string, number>;
}

export function yakuName(id: string): string {
  return maybe(`yaku.${id}`, maybe(`explain.bonus.${id}`, id));
}

export function fuName(item: string): string {
  return maybe(`explain.fu.${item === "triplets" ? "triplet" : item}`, item);
}

/** "mangan", "double yakuman"; empty below. */
export function limitName(score: Score): string {
  if (score.yakuman > 3) return maybe("explain.limit.many_yakuman", "").replace("{count}", String(score.yakuman));
  const names = ["", "yakuman", "double_yakuman", "triple_yakuman"];
  const name = names[score.yakuman] || score.limit;
  return name ? maybe(`explain.limit.${name}`, name) : "";
}

/** "3 han 40 fu" and the limit where it reaches one. */
export function valueOf(score: Score): string {
  if (score.han === null || score.yakuman > 0) return limitName(score);
  const value = score.fu === null ? t("score.han", { han: score.han }) : t("score.han_fu", { han: score.han, fu: score.fu });
  const limit = limitName(score);
  return limit ? `${limit} · ${value}` : value;
}

/** The value of a yaku: han, or how many yakuman. */
export function worthOf(han: number, score: Score): string {
  if (score.yakuman > 0) return han > 13 ? `×${Math.round(han / 13)}` : t("score.yakuman");
  return t("score.han", { han });
}

export function limitWord(limit: string): string {
  return maybe(`explain.limit.${limit}`, limit);
}
