// The stages of an event as a form shows them: every field is a text, and an empty one means that nothing is set.
import type { StagePlan } from "$generated/wire";
import { fieldOf, instantOf } from "./timeFields";

export const COUNTS = ["all", "best", "best_run"] as const;
export type Counts = (typeof COUNTS)[number];

export interface StageDraft {
  id: string;
  kind: "open" | "rounds";
  name: string;
  counts: Counts;
  /** How many games count, for `best` and `best_run`. */
  count: string;
  min: string;
  max: string;
  /** Whether people without a game are ranked, too. */
  unplayed: boolean;
  from: string;
  cut: string;
  /** The points that are carried over, in percent. */
  carry: string;
  opens: string;
  closes: string;
}

const text = (value: number | null | undefined): string => (value == null ? "" : String(value));

/** A stage as a form shows it. */
export function stageDraft(stage: StagePlan): StageDraft {
  const counts = stage.counts ?? "all";
  const [how, count] = typeof counts === "string" ? [counts, null] : (Object.entries(counts)[0] ?? ["all", null]);
  return {
    id: stage.id,
    kind: stage.kind ?? "open",
    name: stage.name ?? "",
    counts: how as Counts,
    count: text(count),
    min: text(stage.min_games),
    max: text(stage.max_games),
    unplayed: stage.ranks_unplayed ?? false,
    from: stage.from ?? "",
    cut: text(stage.cut),
    carry: stage.carry == null ? "" : text(Math.round(stage.carry * 1e6) / 1e4),
    opens: fieldOf(stage.opens),
    closes: fieldOf(stage.closes),
  };
}

const whole = (value: string): number | null => (value.trim() === "" ? null : Number(value));

/** A stage as the server wants it. `before` keeps the exact times that the form only shows to the minute. */
export function stagePlan(draft: StageDraft, before?: StagePlan): StagePlan {
  const follows = draft.from !== "";
  const carry = whole(draft.carry);
  const plan: StagePlan = {
    id: draft.id,
    kind: draft.kind,
    name: draft.name.trim() || null,
    counts: draft.counts === "all" ? "all" : { [draft.counts]: whole(draft.count) ?? 1 },
    min_games: whole(draft.min),
    max_games: whole(draft.max),
    ranks_unplayed: draft.unplayed || null,
    from: follows ? draft.from : null,
    cut: follows ? whole(draft.cut) : null,
    carry: follows && carry !== null ? carry / 100 : null,
    opens: instantOf(draft.opens, before?.opens),
    closes: instantOf(draft.closes, before?.closes),
  };
  return Object.fromEntries(
    Object.entries(plan).filter(([, value]) => value !== null),
  ) as Partial<StagePlan> as StagePlan;
}

/** A further stage: it follows the last one, with an id that no stage has. */
export function nextStage(stages: readonly StageDraft[]): StageDraft {
  const ids = new Set(stages.map((stage) => stage.id));
  const id =
    ["final", ...stages.map((_, i) => `stage${i + 2}`)].find((free) => !ids.has(free)) ?? `stage${stages.length + 2}`;
  const from = stages.at(-1)?.id ?? "";
  return { ...stageDraft({ id, kind: "rounds" }), from, cut: from ? "4" : "", carry: from ? "0" : "" };
}

/** The stages without one; what followed it follows what it followed. */
export function without(stages: readonly StageDraft[], id: string): StageDraft[] {
  const gone = stages.find((stage) => stage.id === id);
  return stages
    .filter((stage) => stage.id !== id)
    .map((stage) => (stage.from === id ? { ...stage, from: gone?.from ?? "" } : stage));
}
