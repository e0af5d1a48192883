// The settings of an event as a form shows them, and the changes that are sent.
import type { EventInfo, EventPatch } from "$generated/wire";
import { changedFields } from "$domain/changedFields";
import { stageDraft, stagePlan, type StageDraft } from "./stages";

export const TIE_BREAKS = ["average_place", "firsts", "best_game", "games", "head_to_head"] as const;
export type TieBreak = (typeof TIE_BREAKS)[number];

export interface EventDraft {
  name: string;
  about: string;
  rules: string;
  listed: boolean;
  hidden: boolean;
  correction: string;
  alone: boolean;
  online: boolean;
  watched: boolean;
  registration: boolean;
  moderated: boolean;
  limit: string;
  ties: TieBreak[];
  stages: StageDraft[];
}

/** The settings of an event as a form shows them. */
export function eventDraft(info: EventInfo): EventDraft {
  return {
    name: info.name,
    about: info.about,
    rules: info.rules,
    listed: info.listed,
    hidden: info.hidden_standings,
    correction: String(info.correction_min),
    alone: info.confirm_alone,
    online: info.online_tables,
    watched: info.spectators,
    registration: info.registration.open ?? true,
    moderated: info.registration.moderated ?? false,
    limit: info.registration.limit == null ? "" : String(info.registration.limit),
    ties: [...info.tie_breaks],
    stages: info.stages.map(stageDraft),
  };
}

function patch(draft: EventDraft, info: EventInfo): EventPatch {
  const before = new Map(info.stages.map((stage) => [stage.id, stage]));
  return {
    name: draft.name.trim(),
    about: draft.about.trim(),
    rules: draft.rules,
    listed: draft.listed,
    hidden_standings: draft.hidden,
    correction_min: Number(draft.correction),
    confirm_alone: draft.alone,
    online_tables: draft.online,
    spectators: draft.watched,
    registration: {
      open: draft.registration,
      moderated: draft.moderated,
      limit: draft.limit.trim() === "" ? null : Number(draft.limit),
    },
    tie_breaks: draft.ties,
    stages: draft.stages.map((stage) => stagePlan(stage, before.get(stage.id))),
  };
}

/** What a form has changed since it was filled from `info`; fields that it has not changed are left out. */
export function changes(draft: EventDraft, info: EventInfo): EventPatch {
  return changedFields(patch(draft, info), patch(eventDraft(info), info));
}
