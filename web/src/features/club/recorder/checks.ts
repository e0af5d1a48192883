// Refuses hands that cannot have been played, as the server does (`jantaku.club.hand_checks`), as far as somebody can enter them here.
import type { PaymentsInfo } from "$generated/wire";
import type { Hand } from "$domain/enteredHand";
import { number, t } from "$domain/words.svelte";
import { foulName } from "$domain/handInWords";
import { rulesOf } from "./payments";
import { fouledBy, voids, type Standing } from "./settlement";

export type Refusal =
  | { code: "game_is_over" }
  | { code: "riichi_points"; seat: number; points: number }
  | { code: "noten_in_riichi"; seat: number }
  | { code: "no_chombo" }
  | { code: "foul_ends_hand"; foul: string }
  | { code: "dead_hand_wins"; seat: number }
  | { code: "wareme_unknown" }
  | { code: "abort_not_in_rules" }
  | { code: "nagashi_not_in_rules" }
  | { code: "four_in_riichi" };

export function refusalOf(hand: Hand, before: Standing, over: boolean, table: PaymentsInfo): Refusal | null {
  if (over) return { code: "game_is_over" };
  return withoutPoints(hand, before, table) ?? wrongFoul(hand, table) ?? wrongEnd(hand, table);
}

function withoutPoints({ riichi = [] }: Hand, { scores }: Standing, table: PaymentsInfo): Refusal | null {
  const seat = riichi.find((each) => table.needs_points && (scores[each] ?? 0) < table.deposit);
  return seat === undefined ? null : { code: "riichi_points", seat, points: scores[seat] ?? 0 };
}

function wrongFoul(hand: Hand, table: PaymentsInfo): Refusal | null {
  const voiding = (hand.fouls ?? []).find((foul) => voids(foul, hand, table));
  if (hand.end === "foul") return voiding ? null : { code: "no_chombo" };
  if (voiding) return { code: "foul_ends_hand", foul: voiding.foul };
  const dead = fouledBy(["dead_hand"], hand, table);
  const win = (hand.wins ?? []).find(({ seat }) => dead.includes(seat));
  return win ? { code: "dead_hand_wins", seat: win.seat } : null;
}

function wrongEnd(hand: Hand, table: PaymentsInfo): Refusal | null {
  if (hand.end === "draw") return wrongDraw(hand, table);
  if (hand.end === "abort") return wrongAbort(hand, table);
  return table.wareme !== "off" && hand.wins?.length && hand.wareme === undefined ? { code: "wareme_unknown" } : null;
}

function wrongDraw(hand: Hand, table: PaymentsInfo): Refusal | null {
  if (hand.nagashi?.length && (table.nagashi === "off" || !table.nagashi_base)) return { code: "nagashi_not_in_rules" };
  const fouled = (hand.fouls ?? []).filter(({ foul }) => foul === "noten_riichi").map(({ seat }) => seat);
  const excused = [...(hand.tenpai ?? []), ...fouledBy(["dead_hand", "noten_at_draw"], hand, table), ...fouled];
  const seat = (hand.riichi ?? []).find((each) => !excused.includes(each));
  return seat === undefined ? null : { code: "noten_in_riichi", seat };
}

function wrongAbort({ kind, riichi = [] }: Hand, table: PaymentsInfo): Refusal | null {
  if (!table.aborts.some((each) => each === kind)) return { code: "abort_not_in_rules" };
  return kind === "suucha_riichi" && riichi.length < rulesOf(table).match.players ? { code: "four_in_riichi" } : null;
}

export function refusalWords(refusal: Refusal, names: readonly string[], table: PaymentsInfo): string {
  const name = "seat" in refusal ? (names[refusal.seat] ?? "") : "";
  switch (refusal.code) {
    case "riichi_points":
      return t("recorder.refused.riichi_points", {
        name,
        points: number(refusal.points),
        needed: number(table.deposit),
      });
    case "foul_ends_hand":
      return t("recorder.refused.foul_ends_hand", { foul: foulName(refusal.foul) });
    case "noten_in_riichi":
      return t("recorder.refused.noten_in_riichi", { name, foul: foulName("noten_riichi") });
    case "dead_hand_wins":
      return t("recorder.refused.dead_hand_wins", { name });
    case "game_is_over":
    case "no_chombo":
    case "wareme_unknown":
    case "abort_not_in_rules":
    case "nagashi_not_in_rules":
    case "four_in_riichi":
      return t(`recorder.refused.${refusal.code}`);
  }
}
