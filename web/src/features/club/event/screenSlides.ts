// Slides for a projector: standings of the current stage, teams and active tables.
import type { RecordedSummary, RoundInfo, ScreenTable, StagePlan, StandingsBody } from "$generated/wire";
import { roundName } from "$domain/game/roundName";
import { decimals } from "$domain/figures";
import { dotted, number, t } from "$domain/words.svelte";
import { gamesInProgress } from "./games";
import { stageName, tableName } from "./planInWords";
import { rowsOf, rankText, initialStage, UNRANKED } from "./standingsRows";

interface Row {
  key: string;
  rank: string;
  name: string;
  games: string;
  average: string;
  points: number;
  through: boolean;
}

interface StandingsSlide {
  kind: "standings";
  title: string;
  rows: readonly Row[];
  /** Position of the first row among all rows, from 1, and the number of all rows. */
  first: number;
  count: number;
}

interface TablesSlide {
  kind: "tables" | "seating";
  /** `scores` is null for tables of a published round. */
  tables: readonly { id: string; about: string; names: readonly string[]; scores: readonly number[] | null }[];
  byes: readonly string[];
}

export type Slide = StandingsSlide | TablesSlide;

export const ROWS = 20;
export const TABLES = 12;

interface ScreenData {
  stages: readonly StagePlan[];
  standings: StandingsBody | null;
  games: readonly RecordedSummary[];
  round: RoundInfo | null;
  online?: readonly ScreenTable[];
  nameOf: (entry: string) => string;
}

/** Split rows into pages of nearly equal length, at most `limit` rows each. */
export function pagesOf<Row>(rows: readonly Row[], limit: number): Row[][] {
  const pages = Math.max(Math.ceil(rows.length / Math.max(limit, 1)), 1);
  const length = Math.ceil(rows.length / pages);
  return Array.from({ length: pages }, (_, page) => rows.slice(page * length, (page + 1) * length));
}

/** All slides in order; empty if there is nothing to show. Before a round starts, only its seating is included. */
export function slidesOf({ stages, standings, games, round, online = [], nameOf }: ScreenData): Slide[] {
  if (round?.state === "published") {
    const tables = round.tables.map(({ number, players }) => ({
      id: String(number),
      about: t("event.round.table", { number }),
      names: players.map(nameOf),
      scores: null,
    }));
    return tableSlides("seating", tables, round.byes.map(nameOf));
  }
  const playing = gamesInProgress(games).map(({ id, label, hands, players, scores }) => ({
    id,
    about: dotted(tableName(label), t("event.list.hands", { count: hands })),
    names: players.map(nameOf),
    scores: scores ?? [],
  }));
  const onlineTables = online.map(({ id, label, hand_number, names, scores }) => ({
    id,
    about: dotted(tableName(label), roundName(hand_number, names.length)),
    names,
    scores,
  }));
  return [
    ...(standings ? standingsSlides(stages, standings, nameOf) : []),
    ...tableSlides("tables", playing),
    ...tableSlides("tables", onlineTables),
  ];
}

function tableSlides(kind: TablesSlide["kind"], tables: TablesSlide["tables"], byes: readonly string[] = []): Slide[] {
  return tables.length ? pagesOf(tables, TABLES).map((page) => ({ kind, tables: page, byes })) : [];
}

function standingsSlides(stages: readonly StagePlan[], body: StandingsBody, nameOf: ScreenData["nameOf"]): Slide[] {
  const id = initialStage(body, stages);
  const { ranked, unqualified, through } = rowsOf(body, stages, id);
  const advancing = new Set(ranked.slice(0, through));
  const players = [...ranked, ...unqualified]
    .filter((row) => row.games > 0)
    .map((row) => ({
      key: row.player,
      rank: rankText(row),
      name: nameOf(row.player),
      games: number(row.games),
      average: decimals(row.average_place),
      points: row.points,
      through: advancing.has(row),
    }));
  if (!players.length) return [];
  const teams = (body.stages.find((stage) => stage.id === id)?.teams ?? []).map(({ team, rank, points }) => ({
    key: team,
    rank: String(rank ?? UNRANKED),
    name: team,
    games: "",
    average: "",
    points,
    through: false,
  }));
  return [
    ...rowSlides(stageName(stages, id), players),
    ...(teams.length ? rowSlides(t("event.table.teams"), teams) : []),
  ];
}

function rowSlides(title: string, rows: readonly Row[]): Slide[] {
  let first = 1;
  return pagesOf(rows, ROWS).map((page) => {
    const slide = { kind: "standings" as const, title, rows: page, first, count: rows.length };
    first += page.length;
    return slide;
  });
}
