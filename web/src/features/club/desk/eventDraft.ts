// Form drafts for an event and its stages, in the shape of the API; only changed fields are sent.
import type { EventInfo, EventPatch, StagePlan } from "$generated/wire";

export const TIE_BREAKS = ["average_place", "firsts", "best_game", "games", "head_to_head"] as const;
export type TieBreak = (typeof TIE_BREAKS)[number];

export function eventDraft(info: EventInfo) {
  const { name, about, rules, listed, hidden_standings, correction_min, confirm_alone, online_tables, spectators } =
    info;
  return {
    ...{ name, about, rules, listed, hidden_standings, confirm_alone, online_tables, spectators },
    correction_min: correction_min as number | null,
    registration: { open: true, moderated: false, limit: null as number | null, ...info.registration },
    tie_breaks: [...info.tie_breaks],
    stages: info.stages.map((stage) => ({ ...stage })),
  };
}

export type EventDraft = ReturnType<typeof eventDraft>;

export function eventPatch(draft: EventDraft): EventPatch {
  return { ...draft, name: draft.name.trim(), about: draft.about.trim(), stages: draft.stages.map(stagePlan) };
}

/** Drop unset fields of a stage; `cut` and `carry` need a preceding stage. */
export function stagePlan(draft: StagePlan): StagePlan {
  const { cut, carry, ...own } = draft;
  const stage = { ...own, name: own.name?.trim(), ...(own.from ? { cut, carry } : {}) };
  return Object.fromEntries(
    Object.entries(stage).filter(([, value]) => value != null && value !== "" && value !== false),
  ) as Partial<StagePlan> as StagePlan;
}

/** Create a stage that follows the last one, with an unused id. */
export function nextStage(stages: readonly StagePlan[]): StagePlan {
  const ids = new Set(stages.map((stage) => stage.id));
  const id =
    ["final", ...stages.map((_, i) => `stage${i + 2}`)].find((free) => !ids.has(free)) ?? `stage${stages.length + 2}`;
  const from = stages.at(-1)?.id;
  return { id, kind: "rounds", counts: "all", ...(from ? { from, cut: 4, carry: 0 } : {}) };
}

/** Remove a stage and connect its successors to its predecessor. */
export function removeStage(stages: readonly StagePlan[], id: string): StagePlan[] {
  const gone = stages.find((stage) => stage.id === id);
  return stages
    .filter((stage) => stage.id !== id)
    .map((stage) => (stage.from === id ? { ...stage, from: gone?.from ?? null } : stage));
}
