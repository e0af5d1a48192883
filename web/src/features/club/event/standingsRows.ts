import type { PlayerStanding, StagePlan, StandingsBody } from "$generated/wire";
import { number, t } from "$domain/words.svelte";
import { formatPoints } from "$domain/standingsPoints";
import { mainStages } from "./planInWords";

/** Why a player is unranked: too few games (at least one is needed), or replaced, or a substitute. */
export function whyUnranked(row: PlayerStanding, stage: StagePlan | undefined): string {
  const required = Math.max(1, stage?.min_games ?? 1);
  const replaced = row.rank === null && stage?.carry; // carried points give a rank before the first game, so this player was replaced
  if (row.games >= required || replaced) return t("event.table.unranked");
  return required > 1 ? t("event.table.unqualified", { count: number(required) }) : t("event.table.unplayed");
}

export function byReason(rows: readonly PlayerStanding[], stage: StagePlan): [string, PlayerStanding[]][] {
  const groups = new Map<string, PlayerStanding[]>();
  for (const row of rows) groups.set(whyUnranked(row, stage), [...(groups.get(whyUnranked(row, stage)) ?? []), row]);
  return [...groups];
}

export const UNRANKED = "–";

export interface StandingsRows {
  ranked: readonly PlayerStanding[];
  unqualified: readonly PlayerStanding[];
  /** Number of rows above the cut; 0 without a cut or if everyone is above it. */
  through: number;
  cut: number;
}

/** The rows of a stage, with the cut to the next stage. */
export function rowsOf(body: StandingsBody, stages: readonly StagePlan[], id: string): StandingsRows {
  const rows = body.stages.find((stage) => stage.id === id)?.standings ?? [];
  const ranked = rows.filter((row) => row.qualified);
  const next = stages.find((stage) => stage.from === id && stage.cut);
  const through = ranked.filter((row) => row.rank !== null && row.rank <= (next?.cut ?? 0)).length;
  const hasCut = next !== undefined && through > 0 && through < ranked.length;
  return {
    ranked,
    unqualified: rows.filter((row) => !row.qualified),
    through: hasCut ? through : 0,
    cut: next?.cut ?? 0,
  };
}

export function rankText(row: PlayerStanding): string {
  return row.qualified && row.rank !== null ? String(row.rank) : UNRANKED;
}

/** Players of a stage whose points or games changed; empty on the first load. */
export function changedSince(before: StandingsBody | null, now: StandingsBody, id: string): Set<string> {
  const known = new Map(before?.stages.find((stage) => stage.id === id)?.standings.map((row) => [row.player, row]));
  const rows = now.stages.find((stage) => stage.id === id)?.standings ?? [];
  const changed = rows.filter((row) => {
    const old = known.get(row.player);
    return old && (old.points !== row.points || old.games !== row.games);
  });
  return new Set(changed.map((row) => row.player));
}

/** The stage to show first: the last one with games, else the first. Free play beside rounds does not count. */
export function initialStage(body: StandingsBody, stages: readonly StagePlan[]): string {
  const main = new Set(mainStages(stages).map(({ id }) => id));
  const played = body.stages.filter((stage) => main.has(stage.id) && stage.standings.some((row) => row.games > 0));
  return (played.at(-1) ?? body.stages[0])?.id ?? "";
}

export type Byes = ReadonlyMap<string, number>;

/** Points of a row that do not come from games. */
export const EXTRAS = ["penalty", "bye", "carried"] as const;

export function partsOf(row: PlayerStanding, byes: Byes): Record<"games" | (typeof EXTRAS)[number], number> {
  const { player, points, penalty, carried } = row;
  const bye = byes.get(player) ?? 0;
  return { games: points - penalty - carried, penalty: penalty - bye, bye, carried };
}

export function moreThanGames(row: PlayerStanding, byes: Byes): string[] {
  const parts = partsOf(row, byes);
  return EXTRAS.filter((extra) => parts[extra]).map((extra) =>
    t(`event.table.sum_${extra}`, { points: formatPoints(parts[extra]) }),
  );
}

/** Points for byes by player; the standings include them in the penalties. */
export function byesOf(body: StandingsBody | null, stage: string): Byes {
  return new Map(body?.byes.filter((bye) => bye.stage === stage).map(({ player, points }) => [player, points]));
}

/** Strip the team suffix that distinguishes namesakes, for a name displayed beside its team. */
export function nameWithoutTeam(name: string, team: string | undefined): string {
  const suffix = ` (${team ?? ""})`;
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}
