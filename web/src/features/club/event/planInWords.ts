import type { EventInfo, StagePlan } from "$generated/wire";
import type { Key } from "$generated/keys";
import { date, dated, dotted, listed, number, t } from "$domain/words.svelte";

type Stage = Pick<StagePlan, "id" | "name" | "kind" | "from">;

const kindOf = (stage: Stage): "open" | "rounds" | "final" => (stage.from ? "final" : (stage.kind ?? "open"));

/** The name of a stage, or its kind if unnamed. */
export function stageName(stages: readonly Stage[], id: string): string {
  const stage = stages.find((candidate) => candidate.id === id);
  if (!stage) return id;
  if (stage.name) return stage.name;
  const alike = stages.filter((other) => !other.name && kindOf(other) === kindOf(stage));
  const called = t(`event.unnamed.${kindOf(stage)}`);
  return alike.length === 1 ? called : `${called} ${alike.indexOf(stage) + 1}`;
}

/** All stages except free play beside rounds: open stages without `from` that follow a stage with rounds. */
export function mainStages<Some extends Stage>(stages: readonly Some[]): Some[] {
  const rounds = stages.findIndex(({ kind }) => kind === "rounds");
  return stages.filter((stage, at) => rounds < 0 || at < rounds || kindOf(stage) !== "open");
}

/** The name of a table; a bare number, as on printed table cards, becomes “Table 7”. */
export function tableName(label: string): string {
  return /^\d{1,3}$/.test(label) ? t("event.round.table", { number: Number(label) }) : label;
}

export function gameName(
  stages: readonly Stage[],
  game: { stage?: string; round?: number | null; label: string },
  number = "",
): string {
  const stage = game.stage && stages.length > 1 ? stageName(stages, game.stage) : "";
  const which = game.round ? t("event.round.name", { number: game.round }) : number;
  return dotted(stage, which, tableName(game.label));
}

export function sticksInWords({ honba, deposits }: { honba: number; deposits: number }): string {
  return dotted(
    honba && t("table.honba_count", { count: honba }),
    deposits && t("table.deposit_count", { count: deposits }),
  );
}

export function period(opens: string | null | undefined, closes: string | null | undefined): string {
  if (opens && closes) return t("event.period", { from: date(opens), to: date(closes) });
  if (opens) return t("event.period_from", { from: date(opens) });
  return closes ? t("event.period_to", { to: date(closes) }) : "";
}

export function moment(iso: string): string {
  const shown = { month: "numeric", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
  return dated(iso, shown);
}

export function countsOf(stage: StagePlan, stages: readonly StagePlan[]): string[] {
  return [
    t(`event.counts.stage_${stage.kind ?? "open"}`),
    ...entryRules(stage, stages),
    countingRule(stage.counts),
    stage.min_games ? t("event.counts.min_games", { count: number(stage.min_games) }) : "",
    stage.ranks_unplayed ? t("event.counts.ranks_unplayed") : "",
    stage.max_games ? t("event.counts.max_games", { count: number(stage.max_games) }) : "",
  ].filter(Boolean);
}

function countingRule(counts: StagePlan["counts"]): string {
  if (typeof counts !== "object") return t("event.counts.all");
  const [kind = "best", count = 0] = Object.entries(counts)[0] ?? [];
  return t(`event.counts.${kind}` as Key, { count: number(count) });
}

function entryRules(stage: StagePlan, stages: readonly StagePlan[]): string[] {
  if (!stage.from) return [];
  const previous = { stage: stageName(stages, stage.from) };
  const carry = stage.carry ?? 0;
  const carried = carry === 0 ? "none" : carry === 1 ? "all" : "part";
  return [
    stage.cut ? t("event.counts.cut", { ...previous, count: number(stage.cut) }) : t("event.counts.from", previous),
    t(`event.counts.carry_${carried}`, { ...previous, percent: number(carry * 100) }),
  ];
}

export function tiesOf(breaks: EventInfo["tie_breaks"]): string {
  if (!breaks.length) return "";
  const list = listed(breaks.map((tie) => t(`event.tie.${tie}`)));
  return t("event.counts.ties", { list });
}

export function standingsHidden(event: EventInfo): boolean {
  return event.hidden_standings && event.status === "open" && event.role === null;
}
