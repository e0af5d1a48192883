import { expect, test } from "vitest";
import type { EventEntry } from "$generated/wire";
import { parseCells } from "./csv";
import { earlierEntries, entriesAsCsv, entriesFrom, readPeople, isInvalid } from "./pastedPeople";

test("a list of names is read as a table with one column", () => {
  expect(readPeople("Mina\n\n  Haru  \r\nSora", []).map((row) => [row.line, row.name])).toEqual([
    [1, "Mina"],
    [3, "Haru"],
    [4, "Sora"],
  ]);
});

test("titles in any language order the columns, and quotes, tabs and semicolons are supported", () => {
  expect(readPeople('소속,이름\n"A, B",미나', [])).toMatchObject([
    { name: "미나", team: "A, B", id: "", line: 2, problem: null },
  ]);
  expect(readPeople("名前\t番号\n春\t7", [])).toMatchObject([{ name: "春", id: "7" }]);
  expect(parseCells('a;b\n"x ""y""";"two\nlines"')).toEqual([
    ["a", "b"],
    ['x "y"', "two\nlines"],
  ]);
  expect(readPeople("\uFEFFname;team\nMina;A", [])).toMatchObject([{ name: "Mina", team: "A" }]);
});

test("invalid rows are flagged before sending, and duplicate names cause a warning", () => {
  const known = [{ id: "p1", name: "Mina", team: "Red" }];
  const rows = readPeople(
    `name,team,id\n,A,\nMina,,\nHaru,,p1\nSora,,a/b\nYuna,,p2\nYuri,,p2\n${"x".repeat(41)},,\nB,${"t".repeat(41)},`,
    known,
  );
  expect(rows.map((row) => row.problem)).toEqual([
    "no_name",
    "same_name",
    "id_taken",
    "bad_id",
    null,
    "id_taken",
    "long_name",
    "long_team",
  ]);
  expect(rows.filter((row) => !isInvalid(row)).map((row) => row.name)).toEqual(["Mina", "Yuna"]);
  expect(entriesFrom(rows.slice(1, 2))).toEqual([
    { name: "Mina", team: "", id: null, country: "", association: "", earlier: null },
  ]);
});

test("a list may contain countries and association numbers", () => {
  const rows = readPeople("Name,EMA number,Country\nAnna,08000001,nl\nBen,1 2,NL\nCho,,Korea\nDae,,KOR", []);
  expect(rows.map((row) => row.problem)).toEqual([null, "bad_association", "bad_country", null]);
  expect(entriesFrom(rows.slice(0, 1))).toEqual([
    { name: "Anna", team: "", id: null, country: "nl", association: "08000001", earlier: null },
  ]);
});

test("pasting a list again adds only new people", () => {
  const known = [
    { id: "p1", name: "Mina", team: "" },
    { id: "p2", name: "Sora", team: "Red" },
  ];
  const rows = readPeople("Mina\nSora,Red\nSora,Blue\nMina,,p9\nHaru\nHaru", known);
  expect(rows.map((row) => row.problem)).toEqual(["already", "already", "same_name", "same_name", null, "same_name"]);
});

test("decomposed, full-width and double-spaced names match existing ones", () => {
  const known = [{ id: "p1", name: "김민수", team: "AB 1" }];
  const rows = readPeople(`${"이름,팀".normalize("NFD")}\n${"김민수".normalize("NFD")},ＡＢ  1\n김민수,`, known);
  expect(rows.map(({ name, problem }) => [name, problem])).toEqual([
    ["김민수", "already"],
    ["김민수", "same_name"],
  ]);
});

test("players of an earlier event can be listed and keep their identity", () => {
  const entry = (id: string, called: string, team: string, status: EventEntry["status"] = "playing") => ({
    id,
    called,
    team,
    status,
  });
  const entries = [
    entry("k", 'Kim, "Mina"', "A;B;C"),
    entry("h1", "하루", ""),
    entry("h2", "하루 (2)", ""),
    entry("a", "Asks", "", "asked"),
    entry("l", "Left", "Red", "withdrawn"),
  ];
  const rows = readPeople(`${entriesAsCsv(entries)}\nNew,`, []);
  expect(rows.map(({ name, team, id }) => [name, team, id])).toEqual([
    ['Kim, "Mina"', "A;B;C", ""],
    ["하루", "", ""],
    ["하루 (2)", "", ""],
    ["Left", "Red", ""],
    ["New", "", ""],
  ]);
  expect(entriesFrom(rows, earlierEntries("e", entries)).map(({ earlier }) => earlier?.entry)).toEqual([
    "k",
    "h1",
    "h2",
    "l",
    undefined,
  ]);
});

test.each([
  ["순번,성명,닉네임,소속팀\n1,김민수,민수,가", ["김민수", "가", ""]],
  ["참가자 명\t국적\n김민수\tKOR", ["김민수", "", "KOR"]],
  ["No.;参加者;所属\n1;春;東", ["春", "東", ""]],
  ["連番\tプレイヤー\n1\t春", ["春", "", ""]],
  ["#,Participant,Club,Nation\n1,Anna,North,NLD", ["Anna", "North", "NLD"]],
  ["이름(필수),팀\n김민수,가", ["김민수", "가", ""]],
  ["1\t김민수\t가\n2\t이영희\t나", ["김민수", "가", ""]],
  ["1., Anna\n2., Ben", ["Anna", "", ""]],
  ["1. 김민수\n\n2. 이영희", ["김민수", "", ""]],
  ["1) Anna\n2) Ben", ["Anna", "", ""]],
  ["1 김 민수\n2 이영희", ["김 민수", "", ""]],
  ["１\t春\n２\t夏", ["春", "", ""]],
])("titles used by clubs and numbered lines are understood: %j", (text, wanted) => {
  const [first] = readPeople(text, []);
  expect([first?.name, first?.team, first?.country]).toEqual(wanted);
  expect([first?.id, first?.problem]).toEqual(["", null]);
});

test("numbers can be names", () => {
  expect(readPeople("1 Anna\n3 Ben", []).map(({ name }) => name)).toEqual(["1 Anna", "3 Ben"]);
  expect(readPeople("1\n2", []).map(({ name }) => name)).toEqual(["1", "2"]);
  expect(readPeople("7,Red\nAnna,Blue", []).map(({ name }) => name)).toEqual(["7", "Anna"]);
});
