import type { EarlierEntry, EventEntry } from "$generated/wire";
import { parseCells } from "./csv";

interface KnownPerson {
  name: string;
  team: string;
  id: string;
}

export interface Person extends KnownPerson {
  /** ISO 3166 code of two or three letters. */
  country: string;
  association: string;
}

export interface Row extends Person {
  line: number;
  /** The problem, if any. `same_name` and `already` (an existing entry) are only warnings. */
  problem: ReturnType<typeof problemOf> | "already";
}

const MAX_NAME = 40;
const ID = /^[\p{L}\p{N}_.~-]{1,64}$/u;
type Column = keyof Person | "serial";
// Titles are compared without spaces, brackets and dots. A "serial" column only numbers the lines.
const TITLE_WORDS: Record<Column, string> = {
  name: "name names fullname player players playername participant participants participantname entrant member nickname nick handle 이름 성명 성함 선수 선수명 선수이름 참가자 참가자명 참가자이름 참석자 닉네임 닉 별명 회원 회원명 名前 お名前 氏名 姓名 選手 選手名 参加者 参加者名 出場者 出場者名 プレイヤー プレーヤー ニックネーム ハンドルネーム 会員名",
  team: "team teamname club affiliation 팀 팀명 팀이름 소속 소속팀 클럽 チーム チーム名 所属 クラブ 団体",
  id: "id number playerid playernumber 번호 아이디 참가번호 선수번호 番号 選手番号 参加番号",
  country: "country countrycode nation nationality 국가 국가코드 나라 국적 国 国名 国籍",
  association:
    "association ema emanumber emano emaid membernumber membershipnumber 회원번호 협회번호 会員番号 協会番号",
  serial: "no nr # № sn serial serialnumber order row line 순번 연번 순서 일련번호 連番 順番 順 通番 通し番号",
};
const TITLES = new Map(
  Object.entries(TITLE_WORDS).flatMap(([column, words]) =>
    words.split(" ").map((word) => [word.normalize("NFKC"), column as Column]),
  ),
);
const ORDER: readonly (keyof Person)[] = ["name", "team", "id", "country", "association"];

/** Read a list of people, one per line, and check each row. Empty lines are skipped. */
export function readPeople(text: string, known: readonly KnownPerson[]): Row[] {
  const rows = withoutLineNumbers(parseCells(text));
  const titles = (rows[0] ?? []).map((cell) => TITLES.get(normalisedTitle(cell)));
  const titled = titles.includes("name");
  // Ignore repeated columns, such as a nickname beside a name
  const order = titled
    ? titles.map((field, at) => (titles.indexOf(field) === at ? field : undefined))
    : hasLineNumbers(rows)
      ? ["serial" as const, ...ORDER]
      : ORDER;
  const ids = new Set(known.map((player) => player.id));
  const names = new Set(known.map((player) => normalised(player.name)));
  const knownPeople = new Set(known.map(identity));
  const imported: Row[] = [];
  for (const [i, row] of rows.entries()) {
    if ((titled && i === 0) || row.every((cell) => !cell)) continue;
    const person: Person = { name: "", team: "", id: "", country: "", association: "" };
    for (const [at, field] of order.entries()) if (field && field !== "serial") person[field] = row[at] ?? "";
    const problem = problemOf(person, ids, names);
    imported.push({
      ...person,
      line: i + 1,
      problem: problem === "same_name" && !person.id && knownPeople.has(identity(person)) ? "already" : problem,
    });
    if (person.id) ids.add(person.id);
    names.add(normalised(person.name));
  }
  return imported;
}

/** Normalise a title: lower case, without brackets, spaces and punctuation. */
function normalisedTitle(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\(.*?\)|[\s.:*_]/g, "");
}

function hasLineNumbers(rows: readonly (readonly string[])[]): boolean {
  const filled = rows.filter((row) => row.some(Boolean));
  return (
    filled.length > 0 &&
    filled.every((row) => /^\d{1,4}[.)]?$/.test((row[0] ?? "").normalize("NFKC")) && Boolean(row[1]))
  );
}

/** Strip line numbers such as "1." in "1. Mina" from a list with one column. */
function withoutLineNumbers(rows: string[][]): string[][] {
  const parts = rows
    .filter((row) => row.some(Boolean))
    .map((row) =>
      row.length === 1 ? /^(\d{1,4})(?:[.)]\s*|\s+)(\D.*)$/.exec((row[0] ?? "").normalize("NFKC")) : null,
    );
  if (!parts.length || parts.some((part, i) => Number(part?.[1]) !== i + 1)) return rows;
  let at = 0;
  return rows.map((row) => (row.some(Boolean) ? [parts[at++]?.[2] ?? ""] : row));
}

/** Normalise a name like the server, which ignores full-width forms and double spaces. */
function normalised(text: string): string {
  return text.normalize("NFKC").replace(/ +/g, " ");
}

function identity({ name, team }: KnownPerson): string {
  return JSON.stringify([normalised(name), normalised(team)]);
}

function problemOf({ name, team, id, country, association }: Person, ids: Set<string>, names: Set<string>) {
  if (!name) return "no_name";
  if ([...name].length > MAX_NAME) return "long_name";
  if ([...team].length > MAX_NAME) return "long_team";
  if (id && !ID.test(id)) return "bad_id";
  if (id && ids.has(id)) return "id_taken";
  if (country && !/^[A-Za-z]{2,3}$/.test(country)) return "bad_country";
  if (!/^[0-9A-Za-z-]{0,16}$/.test(association)) return "bad_association";
  return names.has(normalised(name)) ? "same_name" : null;
}

type EntryName = Pick<EventEntry, "id" | "called" | "team" | "status">;

/** Write the players of an earlier event as CSV, under the names used there. */
export function entriesAsCsv(entries: readonly EntryName[]): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return ["name,team", ...participants(entries).map(({ called, team }) => `${quoted(called)},${quoted(team)}`)].join(
    "\n",
  );
}

/** Map rows written by `entriesAsCsv` to their entries in the earlier event, by name and team. */
export function earlierEntries(event: string, entries: readonly EntryName[]): Map<string, EarlierEntry> {
  return new Map(
    participants(entries).map(({ id, called, team }) => [identity({ id, name: called, team }), { event, entry: id }]),
  );
}

function participants(entries: readonly EntryName[]): EntryName[] {
  return entries.filter(({ status }) => status === "playing" || status === "withdrawn");
}

export function isInvalid(row: Row): boolean {
  return row.problem !== null && row.problem !== "same_name" && row.problem !== "already";
}

/** Convert rows to the request body; players of an earlier event keep their identity. */
export function entriesFrom(rows: readonly Row[], earlier: ReadonlyMap<string, EarlierEntry> = new Map()) {
  return rows.map((row) => {
    const { name, team, id, country, association } = row;
    return { name, team, id: id || null, country, association, earlier: earlier.get(identity(row)) ?? null };
  });
}
