// What was entered, in words.
import type { PaymentsInfo, RecordedScore } from "$generated/wire";
import { worthOf } from "../event/handInWords";
import { listed, maybe, t } from "$domain/words.svelte";
import type { Hand, Win, Worth } from "$domain/enteredHand";
import type { WinDetails } from "./handDraft";
import { counted } from "./settlement";

export function foulWord(foul: string): string {
  return maybe(`options.fouls.${foul}.label`, foul);
}

export function costWord(cost: string): string {
  return maybe(`options.foul_cost.values.${cost}`, cost);
}

export function abortWord(kind: string): string {
  return maybe(`draw.${kind}`, kind);
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

/** A hand in a few words: "Kim · ron from Park · 3 han 40 fu". By the rules' `table`, several rons may be a draw. */
export function handWords(hand: Hand, names: readonly string[], table: PaymentsInfo | null): string {
  const name = (seat: number | undefined): string => names[seat ?? -1] ?? "";
  const called = (seats: readonly number[] | undefined): string => listed((seats ?? []).map(name));
  switch (hand.end) {
    case "ron":
    case "tsumo": {
      const wins = table ? counted(hand, table) : (hand.wins ?? []);
      if (!wins.length) return `${abortWord("sanchahou")} · ${called(hand.wins?.map((win) => win.seat))}`;
      const liable = (win: Win): string =>
        win.pao ? ` · ${t("event.game.pao", { players: called(win.pao.seats) })}` : "";
      return wins
        .map(
          (win) =>
            `${t(`recorder.said.${hand.end as "ron" | "tsumo"}`, { name: name(win.seat), from: name(hand.from), worth: worthOf(win) })}${liable(win)}`,
        )
        .join(" / ");
    }
    case "draw": {
      const nagashi = hand.nagashi?.length ? ` · ${t("draw.nagashi", { players: called(hand.nagashi) })}` : "";
      return `${t("draw.exhausted")} · ${hand.tenpai?.length ? t("draw.tenpai", { players: called(hand.tenpai) }) : t("draw.nobody")}${nagashi}`;
    }
    case "abort":
      return abortWord(hand.kind ?? "");
    case "foul":
      return listed((hand.fouls ?? []).map(({ seat, foul }) => `${name(seat)}: ${foulWord(foul)}`));
  }
}
