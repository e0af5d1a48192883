// What was entered, in words.
import type { PaymentsInfo, RecordedScore } from "$generated/wire";
import { handSummary } from "$domain/handInWords";
import { maybe } from "$domain/words.svelte";
import type { Hand, Worth } from "$domain/enteredHand";
import type { WinDetails } from "./handDraft";
import { counted } from "./settlement";

export function costWord(cost: string): string {
  return maybe(`options.foul_cost.values.${cost}`, cost);
}

type Counted = Partial<Pick<RecordedScore, "yakuman" | "yaku" | "han" | "fu" | "limit">>;

/** The worth of a win whose tiles have been counted, and its yaku. */
export function worthOfScore(score: Counted): { worth: Worth } & Pick<WinDetails, "yaku" | "bonus"> {
  const yaku = Object.keys(score.yaku ?? {});
  const bonus = Object.fromEntries(BONUS.flatMap((name) => (score.yaku?.[name] ? [[name, score.yaku[name]]] : [])));
  return { worth: worthIn(score), yaku, bonus };
}

function worthIn(score: Counted): Worth {
  if (score.yakuman) return { yakuman: score.yakuman };
  if (score.limit && score.limit in LIMITS) return { limit: score.limit };
  if (score.limit) return { yakuman: 1 }; // counted yakuman
  return { han: score.han ?? 0, fu: score.fu ?? 0 };
}

/** The dora that chips are paid for. */
const BONUS = ["red_dora", "ura_dora"] as const;

const LIMITS: Record<string, true> = { mangan: true, haneman: true, baiman: true, sanbaiman: true };

/** A hand in one line. By the rules' `table`, several rons may be a draw. */
export function handWords(hand: Hand, names: readonly string[], table: PaymentsInfo | null): string {
  return handSummary(hand, names, table ? counted(hand, table).map(({ seat }) => seat) : null);
}
