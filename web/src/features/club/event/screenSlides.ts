import type {
  ScreenTable,
  PlayerStanding,
  RecordedSummary,
  RoundInfo,
  StagePlan,
  StandingsBody,
  TeamStanding,
} from "$generated/wire";
import { roundName } from "$domain/game/roundName";
import { t } from "$domain/words.svelte";
import { playingNow } from "./games";
import { stageName, tableName } from "./planInWords";
import { rowsOf, stageNow } from "./standingsRows";

export interface StandingsSlide {
  kind: "standings";
  title: string;
  rows: readonly PlayerStanding[];
  teams: readonly TeamStanding[];
  through: ReadonlySet<string>;
  /** Where the rows stand among all, from 1, and how many there are. */
  first: number;
  count: number;
}

export interface ShownTable {
  id: string;
  about: string;
  names: readonly string[];
  scores: readonly number[] | null;
}

export interface TablesSlide {
  kind: "tables" | "seating";
  tables: readonly ShownTable[];
  byes: readonly string[];
}

export type Slide = StandingsSlide | TablesSlide;

export const ROWS = 20; // in two columns
export const TABLES = 12;

interface Shown {
  stages: readonly StagePlan[];
  standings: StandingsBody | null;
  games: readonly RecordedSummary[];
  round: RoundInfo | null;
  online?: readonly ScreenTable[];
  nameOf: (entry: string) => string;
}

export function pagesOf<Row>(rows: readonly Row[], most: number): Row[][] {
  const pages = Math.max(Math.ceil(rows.length / Math.max(most, 1)), 1);
  const length = Math.ceil(rows.length / pages);
  return Array.from({ length: pages }, (_, page) => rows.slice(page * length, (page + 1) * length));
}

export function pageAt(turns: number, count: number): number {
  return count ? turns % count : 0;
}

/** The slides in their order; none while there is nothing to show. Before a round begins, only its seating is shown. */
export function slidesOf({ stages, standings: body, games, round, online = [], nameOf }: Shown): Slide[] {
  if (round?.state === "published") {
    const tables = round.tables.map(({ number, players }) => ({
      id: String(number),
      about: t("event.round.table", { number }),
      names: players.map(nameOf),
      scores: null,
    }));
    return tableSlides("seating", tables, round.byes.map(nameOf));
  }
  const playing = playingNow(games).map(({ id, label, hands, players, scores }) => ({
    id,
    about: [tableName(label), t("event.list.hands", { count: hands })].filter(Boolean).join(" · "),
    names: players.map(nameOf),
    scores: scores ?? [],
  }));
  const watched = online.map(({ id, label, hand_number, names, scores }) => ({
    id,
    about: [tableName(label), roundName(hand_number, names.length)].filter(Boolean).join(" · "),
    names,
    scores,
  }));
  return [
    ...(body ? standingsSlides(stages, body) : []),
    ...tableSlides("tables", playing),
    ...tableSlides("tables", watched),
  ];
}

function tableSlides(kind: TablesSlide["kind"], tables: readonly ShownTable[], byes: readonly string[] = []): Slide[] {
  return tables.length ? pagesOf(tables, TABLES).map((page) => ({ kind, tables: page, byes })) : [];
}

function standingsSlides(stages: readonly StagePlan[], body: StandingsBody): Slide[] {
  const id = stageNow(body, stages);
  const standings = rowsOf(body, stages, id);
  const rows = [...standings.ranked, ...standings.unqualified].filter((row) => row.games > 0);
  if (!rows.length) return [];
  const through = new Set(standings.ranked.slice(0, standings.through).map(({ player }) => player));
  const title = stageName(stages, id);
  let first = 1;
  const slides = pagesOf(rows, ROWS).map((page): Slide => {
    const slide = { kind: "standings" as const, title, rows: page, teams: [], through, first, count: rows.length };
    first += page.length;
    return slide;
  });
  const teams = body.stages.find((stage) => stage.id === id)?.teams ?? [];
  return teams.length ? [...slides, ...teamSlides(teams)] : slides;
}

function teamSlides(teams: readonly TeamStanding[]): Slide[] {
  return pagesOf(teams, ROWS).map((page, i, pages) => {
    const first = 1 + pages.slice(0, i).reduce((sum, before) => sum + before.length, 0);
    return {
      kind: "standings",
      title: "",
      rows: [],
      teams: page,
      through: new Set<string>(),
      first,
      count: teams.length,
    };
  });
}
