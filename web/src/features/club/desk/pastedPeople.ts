import type { EarlierEntry, EventEntry } from "$generated/wire";
import { cells } from "./csv";

interface Known {
  name: string;
  team: string;
  id: string;
}

export interface Person extends Known {
  /** Two or three letters (ISO 3166), and the number in an association. */
  country: string;
  association: string;
}

export interface Row extends Person {
  line: number;
  /** What is wrong; `same_name` is only a warning, and `already` one that the list may hold people from before. */
  problem: ReturnType<typeof problemOf> | "already";
}

const MOST_NAME = 40;
const ID = /^[\p{L}\p{N}_.~-]{1,64}$/u;
type Column = keyof Person | "serial";
// Without spaces, brackets and dots; "serial" numbers the lines and says nothing of people.
const WORDS: Record<Column, string> = {
  name: "name names fullname player players playername participant participants participantname entrant member nickname nick handle 이름 성명 성함 선수 선수명 선수이름 참가자 참가자명 참가자이름 참석자 닉네임 닉 별명 회원 회원명 名前 お名前 氏名 姓名 選手 選手名 参加者 参加者名 出場者 出場者名 プレイヤー プレーヤー ニックネーム ハンドルネーム 会員名",
  team: "team teamname club affiliation 팀 팀명 팀이름 소속 소속팀 클럽 チーム チーム名 所属 クラブ 団体",
  id: "id number playerid playernumber 번호 아이디 참가번호 선수번호 番号 選手番号 参加番号",
  country: "country countrycode nation nationality 국가 국가코드 나라 국적 国 国名 国籍",
  association:
    "association ema emanumber emano emaid membernumber membershipnumber 회원번호 협회번호 会員番号 協会番号",
  serial: "no nr # № sn serial serialnumber order row line 순번 연번 순서 일련번호 連番 順番 順 通番 通し番号",
};
const TITLES = new Map(
  Object.entries(WORDS).flatMap(([column, words]) =>
    words.split(" ").map((word) => [word.normalize("NFKC"), column as Column]),
  ),
);
const ORDER: readonly (keyof Person)[] = ["name", "team", "id", "country", "association"];

/** The people of a list, one a line, with what is wrong with each. Empty lines are left out. */
export function people(text: string, known: readonly Known[]): Row[] {
  const rows = unnumbered(cells(text));
  const titles = (rows[0] ?? []).map((cell) => TITLES.get(bare(cell)));
  const titled = titles.includes("name");
  // A second column of names, such as a nickname beside a name, is left out
  const order = titled
    ? titles.map((field, at) => (titles.indexOf(field) === at ? field : undefined))
    : numbered(rows)
      ? ["serial" as const, ...ORDER]
      : ORDER;
  const ids = new Set(known.map((player) => player.id));
  const names = new Set(known.map((player) => alike(player.name)));
  const before = new Set(known.map(whole));
  const imported: Row[] = [];
  for (const [i, row] of rows.entries()) {
    if ((titled && i === 0) || row.every((cell) => !cell)) continue;
    const person: Person = { name: "", team: "", id: "", country: "", association: "" };
    for (const [at, field] of order.entries()) if (field && field !== "serial") person[field] = row[at] ?? "";
    const problem = problemOf(person, ids, names);
    imported.push({
      ...person,
      line: i + 1,
      problem: problem === "same_name" && !person.id && before.has(whole(person)) ? "already" : problem,
    });
    if (person.id) ids.add(person.id);
    names.add(alike(person.name));
  }
  return imported;
}

/** A title without what people put around the word. */
function bare(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\(.*?\)|[\s.:*_]/g, "");
}

function numbered(rows: readonly (readonly string[])[]): boolean {
  const filled = rows.filter((row) => row.some(Boolean));
  return (
    filled.length > 0 &&
    filled.every((row) => /^\d{1,4}[.)]?$/.test((row[0] ?? "").normalize("NFKC")) && Boolean(row[1]))
  );
}

/** A list of one column without numbers that count its lines, such as "1. Mina". */
function unnumbered(rows: string[][]): string[][] {
  const parts = rows
    .filter((row) => row.some(Boolean))
    .map((row) =>
      row.length === 1 ? /^(\d{1,4})(?:[.)]\s*|\s+)(\D.*)$/.exec((row[0] ?? "").normalize("NFKC")) : null,
    );
  if (!parts.length || parts.some((part, i) => Number(part?.[1]) !== i + 1)) return rows;
  let at = 0;
  return rows.map((row) => (row.some(Boolean) ? [parts[at++]?.[2] ?? ""] : row));
}

/** A text as the server keeps it: full-width letters and double spaces make no other name. */
function alike(text: string): string {
  return text.normalize("NFKC").replace(/ +/g, " ");
}

function whole({ name, team }: Known): string {
  return JSON.stringify([alike(name), alike(team)]);
}

function problemOf({ name, team, id, country, association }: Person, ids: Set<string>, names: Set<string>) {
  if (!name) return "no_name";
  if ([...name].length > MOST_NAME) return "long_name";
  if ([...team].length > MOST_NAME) return "long_team";
  if (id && !ID.test(id)) return "bad_id";
  if (id && ids.has(id)) return "id_taken";
  if (country && !/^[A-Za-z]{2,3}$/.test(country)) return "bad_country";
  if (!/^[0-9A-Za-z-]{0,16}$/.test(association)) return "bad_association";
  return names.has(alike(name)) ? "same_name" : null;
}

type Entered = Pick<EventEntry, "id" | "called" | "team" | "status">;

/** A list with those who played in an earlier event, as they are called there. */
export function listOf(entries: readonly Entered[]): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return ["name,team", ...played(entries).map(({ called, team }) => `${quoted(called)},${quoted(team)}`)].join("\n");
}

/** Which entry of an earlier event a row of its list is: one with the same label and team. */
export function earlierOf(event: string, entries: readonly Entered[]): Map<string, EarlierEntry> {
  return new Map(
    played(entries).map(({ id, called, team }) => [whole({ id, name: called, team }), { event, entry: id }]),
  );
}

function played(entries: readonly Entered[]): Entered[] {
  return entries.filter(({ status }) => status === "playing" || status === "withdrawn");
}

export function wrong(row: Row): boolean {
  return row.problem !== null && row.problem !== "same_name" && row.problem !== "already";
}

/** The people of the rows, as the server wants them; who comes from an earlier event stays who they are. */
export function listed(rows: readonly Row[], earlier: ReadonlyMap<string, EarlierEntry> = new Map()) {
  return rows.map((row) => {
    const { name, team, id, country, association } = row;
    return { name, team, id: id || null, country, association, earlier: earlier.get(whole(row)) ?? null };
  });
}
