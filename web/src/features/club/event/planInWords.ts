import type { EventInfo, StagePlan } from "$generated/wire";
import type { Key } from "$generated/keys";
import { date, dated, dotted, listed, number, t } from "$domain/words.svelte";

type Stage = Pick<StagePlan, "id" | "name" | "kind" | "from">;

const kindOf = (stage: Stage): "open" | "rounds" | "final" => (stage.from ? "final" : (stage.kind ?? "open"));

/** What a stage is called: by its own name, or by what it is. Ids are for addresses. */
export function stageName(stages: readonly Stage[], id: string): string {
  const stage = stages.find((candidate) => candidate.id === id);
  if (!stage) return id;
  if (stage.name) return stage.name;
  const alike = stages.filter((other) => !other.name && kindOf(other) === kindOf(stage));
  const called = t(`event.unnamed.${kindOf(stage)}`);
  return alike.length === 1 ? called : `${called} ${alike.indexOf(stage) + 1}`;
}

/** The stages without free play beside rounds: an open stage after rounds that nobody enters from another. */
export function mainStages<Some extends Stage>(stages: readonly Some[]): Some[] {
  const rounds = stages.findIndex(({ kind }) => kind === "rounds");
  return stages.filter((stage, at) => rounds < 0 || at < rounds || kindOf(stage) !== "open");
}

/** What a table is called: a bare number, as the cards on the tables have, is that of a table. */
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
    ...entering(stage, stages),
    counted(stage.counts),
    stage.min_games ? t("event.counts.min_games", { count: number(stage.min_games) }) : "",
    stage.ranks_unplayed ? t("event.counts.ranks_unplayed") : "",
    stage.max_games ? t("event.counts.max_games", { count: number(stage.max_games) }) : "",
  ].filter(Boolean);
}

function counted(counts: StagePlan["counts"]): string {
  if (typeof counts !== "object") return t("event.counts.all");
  const [kind = "best", count = 0] = Object.entries(counts)[0] ?? [];
  return t(`event.counts.${kind}` as Key, { count: number(count) });
}

function entering(stage: StagePlan, stages: readonly StagePlan[]): string[] {
  if (!stage.from) return [];
  const before = { stage: stageName(stages, stage.from) };
  const carry = stage.carry ?? 0;
  const kept = carry === 0 ? "none" : carry === 1 ? "all" : "part";
  return [
    stage.cut ? t("event.counts.cut", { ...before, count: number(stage.cut) }) : t("event.counts.from", before),
    t(`event.counts.carry_${kept}`, { ...before, percent: number(carry * 100) }),
  ];
}

export function tiesOf(breaks: EventInfo["tie_breaks"]): string {
  if (!breaks.length) return "";
  const list = listed(breaks.map((tie) => t(`event.tie.${tie}`)));
  return t("event.counts.ties", { list });
}

export function hiddenFrom(event: EventInfo): boolean {
  return event.hidden_standings && event.status === "open" && event.role === null;
}
