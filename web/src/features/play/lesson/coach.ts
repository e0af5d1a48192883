// The coach's advice. It depends on the table only, so that it fits whatever the learner does.
import type { Key } from "$generated/keys";
import { choicesOf } from "$domain/game/choices";
import type { TableState } from "$domain/game/tableState";
import type { Hints } from "$generated/wire";

type AdviceIn<Text> = Text extends `guide.first.coach.${infer Name}` ? Name : never;
export type Advice = AdviceIn<Key>;

/** The advice for the learner's current decision; null if there is none. */
export function adviceFor(state: TableState, hints: Hints | null): Advice | null {
  const me = state.seat === null ? undefined : state.hand?.seats[state.seat];
  if (!me || state.outcome) return null;
  const choices = choicesOf(state.own);
  if (choices.win?.type === "ron" || choices.win?.type === "tsumo") return choices.win.type;
  if (me.riichi) return "waiting";
  if (choices.calls.pon.length) return "pon";
  if (choices.calls.chi.length) return "chi";
  if (!choices.discards.length) return null;
  if (choices.riichi.riichi.length) return "riichi";
  const turns = me.river.length;
  if (turns < 3) return (["discard", "numbers", "best"] as const)[turns] ?? "keep";
  if (me.melds.length) return "open";
  return hints?.shanten === 1 ? "near" : "keep";
}
