// Lists of people that an organiser pastes or uploads: read here, so that the preview shows what will be sent.

import { cells } from "./csv";

interface Known {
  name: string;
  team: string;
  id: string;
}

export interface Person extends Known {
  /** Two letters (ISO 3166), and the number in an association. */
  country: string;
  association: string;
}

export type Problem = "bad_country" | "bad_association" | "no_name" | "long_name" | "long_team" | "bad_id" | "id_taken" | "same_name" | "already";

export interface Row extends Person {
  /** The line of the list, from 1. */
  line: number;
  /** What is wrong; `same_name` is only a warning, and `already` one that the list may hold people from before. */
  problem: Problem | null;
}

const MOST_NAME = 40;
const ID = /^[\p{L}\p{N}_.~-]{1,64}$/u;
const TITLES: Record<string, keyof Person> = {
  name: "name", player: "name", 이름: "name", 선수: "name", 닉네임: "name", 名前: "name", 氏名: "name", 選手: "name",
  team: "team", club: "team", 팀: "team", 소속: "team", チーム: "team", 所属: "team",
  id: "id", number: "id", 번호: "id", 아이디: "id", 番号: "id",
  country: "country", 국가: "country", 나라: "country", 国: "country",
  association: "association", ema: "association", "ema number": "association", "회원 번호": "association", 会員番号: "association",
};
const ORDER: readonly (keyof Person)[] = ["name", "team", "id", "country", "association"];

/** The people of a list, one a line, with what is wrong with each. Empty lines are left out. */
export function people(text: string, known: readonly Known[]): Row[] {
  const rows = cells(text);
  const titles = (rows[0] ?? []).map((cell) => TITLES[cell.normalize("NFKC").toLowerCase()]);
  const titled = titles.includes("name");
  const order = titled ? titles : ORDER;
  const ids = new Set(known.map((player) => player.id));
  const names = new Set(known.map((player) => alike(player.name)));
  const before = new Set(known.map(whole));
  const imported: Row[] = [];
  for (const [i, row] of rows.entries()) {
    if ((titled && i === 0) || row.every((cell) => !cell)) continue;
    const person: Person = { name: "", team: "", id: "", country: "", association: "" };
    for (const [at, field] of order.entries()) if (field) person[field] = row[at] ?? "";
    const problem = problemOf(person, ids, names);
    imported.push({ ...person, line: i + 1, problem: problem === "same_name" && !person.id && before.has(whole(person)) ? "already" : problem });
    if (person.id) ids.add(person.id);
    names.add(alike(person.name));
  }
  return imported;
}

/** A text as the server keeps it: full-width letters and double spaces make no other name. */
function alike(text: string): string {
  return text.normalize("NFKC").replace(/ +/g, " ");
}

/** The name and team of a person as one text. */
function whole({ name, team }: Known): string {
  return JSON.stringify([alike(name), alike(team)]);
}

function problemOf({ name, team, id, country, association }: Person, ids: Set<string>, names: Set<string>): Problem | null {
  if (!name) return "no_name";
  if ([...name].length > MOST_NAME) return "long_name";
  if ([...team].length > MOST_NAME) return "long_team";
  if (id && !ID.test(id)) return "bad_id";
  if (id && ids.has(id)) return "id_taken";
  if (country && !/^[A-Za-z]{2}$/.test(country)) return "bad_country";
  if (!/^[0-9A-Za-z-]{0,16}$/.test(association)) return "bad_association";
  return names.has(alike(name)) ? "same_name" : null;
}

/** A list with those who played in an earlier event: their names and teams, since each event has ids of its own. */
export function listOf(entries: readonly { name: string; team: string; status: string }[]): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const played = entries.filter(({ status }) => status === "playing" || status === "withdrawn");
  return ["name,team", ...played.map(({ name, team }) => `${quoted(name)},${quoted(team)}`)].join("\n");
}

/** Whether a row would be refused. */
export function wrong(row: Row): boolean {
  return row.problem !== null && row.problem !== "same_name" && row.problem !== "already";
}

/** The people of the rows, as the server wants them. */
export function listed(rows: readonly Row[]): (Omit<Person, "id"> & { id: string | null })[] {
  return rows.map(({ name, team, id, country, association }) => ({ name, team, id: id || null, country, association }));
}
