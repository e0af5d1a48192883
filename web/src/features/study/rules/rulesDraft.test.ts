import { expect, test } from "vitest";
import {
  changed,
  draftOf,
  fileName,
  fileOf,
  rebased,
  sameValue,
  sticksFor,
  totalOf,
  umaFor,
  worded,
  type Draft,
  type Sticks,
} from "./rulesDraft";
import type { SchemaPart } from "$generated/wire";
import { matches, kindOf, numberOf, sectionsOf } from "./options";

const BASE = {
  name: { en: "Standard" },
  about: {},
  match: { uma: [1, -1], length: "east", sticks: { "1000": 5, "100": 10 } },
  yaku: { pinfu: { closed: 1, open: false } },
};
const EMPTY: Draft = { parent: "standard", changes: new Map() };

test("what equals the preset is no change, in whatever order its keys stand", () => {
  expect(sameValue({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(sameValue([1, 2], [2, 1])).toBe(false);
  const once = changed(new Map(), BASE, "match.uma", [3, -3]);
  expect([...once]).toEqual([["match.uma", [3, -3]]]);
  expect(changed(once, BASE, "match.uma", [1, -1]).size).toBe(0);
});

test("a ruleset is a preset and what it says otherwise", () => {
  const tree = {
    ...BASE,
    name: { ko: "우리" },
    match: { ...BASE.match, length: "full" },
    yaku: { pinfu: { closed: 0, open: false } },
  };
  const draft = draftOf(tree, BASE, "standard");
  expect([...draft.changes.keys()]).toEqual(["name", "match.length", "yaku.pinfu.closed"]);
  expect(draftOf(BASE, BASE, "standard")).toEqual(EMPTY);
});

test("over another preset only what still differs stays", () => {
  const draft = draftOf({ ...BASE, match: { ...BASE.match, length: "full" } }, BASE, "standard");
  const moved = rebased(draft, { ...BASE, match: { ...BASE.match, length: "full" } }, "tenhou");
  expect([moved.parent, moved.changes.size]).toEqual(["tenhou", 0]);
});

test("the file names its parent, its words and each option under its section", () => {
  const draft: Draft = {
    parent: "tenhou",
    changes: new Map<string, unknown>([
      ["name", { en: 'The "Club"' }],
      ["yaku.pinfu.closed", 0],
      ["match.sticks", { "1000": 5 }],
      ["match.floating_uma", [[1], [2]]],
    ]),
  };
  expect(fileOf(draft)).toBe(
    'extends = "tenhou"\n\n[name]\nen = "The \\"Club\\""\n\n[match]\nfloating_uma = [ [ 1 ], [ 2 ] ]\n\n[match.sticks]\n1000 = 5\n\n[yaku.pinfu]\nclosed = 0\n',
  );
  expect(fileName(draft)).toBe("The-Club.toml");
  expect(fileName(EMPTY)).toBe("rules.toml");
});

test("words of one language are set and taken out", () => {
  const both = worded({ en: "a" }, "ko", "가");
  expect(both).toEqual({ en: "a", ko: "가" });
  expect(worded(both, "en", " ")).toEqual({ ko: "가" });
});

test.each<[SchemaPart, string]>([
  [{ enum: [2, 4] }, "choice"],
  [{ anyOf: [{ enum: ["none"] }, { type: "integer" }] }, "choice_or_number"],
  [{ type: "boolean" }, "switch"],
  [{ type: "integer" }, "number"],
  [{ type: "array", items: { type: "integer" } }, "row"],
  [{ type: "array", items: { type: "array", items: { type: "integer" } } }, "grid"],
  [{ type: "array", items: { type: "string", enum: ["daisangen"] } }, "set"],
  [{ type: "object", propertyNames: { pattern: "^[1-9][mps]$" } }, "tiles"],
  [{ type: "object", propertyNames: { pattern: "^[0-9]+$" } }, "counts"],
])("%o is edited as a %s", (part, kind) => {
  expect(kindOf(part)).toBe(kind);
});

test("what is no number yet stays as it is typed", () => {
  expect([numberOf("12"), numberOf("-3000"), numberOf(""), numberOf("-")]).toEqual([12, -3000, "", "-"]);
});

test.each([
  ["리치", true],
  ["RIICHI.open", true],
  ["open 리치", true],
  ["", true],
  ["우마", false],
])("a search for %s", (search, expected) => {
  expect(matches(search, "오픈 리치", "riichi.open")).toBe(expected);
});

test("the sections of the schema hold every option with its path", () => {
  const schema = {
    $schema: "",
    $defs: {},
    type: "object",
    properties: { name: {}, match: { title: "Match", properties: { uma: { title: "Uma" } } } },
  };
  const [section, ...others] = sectionsOf(schema);
  expect(others).toEqual([]);
  expect(section?.options[0]).toMatchObject({ path: "match.uma", label: "Uma" });
});

test("uma for another number of players keeps the ends", () => {
  expect(umaFor([30000, 10000, -10000, -30000], 3)).toEqual([30000, 0, -30000]);
  expect(umaFor([20000, 0, -20000], 4)).toEqual([20000, 0, 0, -20000]);
  expect(umaFor([20000, 0, -20000], 3)).toEqual([20000, 0, -20000]);
});

const USUAL: Sticks = { "10000": 1, "5000": 2, "1000": 4, "100": 10 };

test.each<[number, Sticks]>([
  [25000, USUAL],
  [30000, { "10000": 1, "5000": 3, "1000": 4, "100": 10 }],
  [35000, { "10000": 2, "5000": 2, "1000": 4, "100": 10 }],
  [20000, { "10000": 1, "5000": 1, "1000": 4, "100": 10 }],
  [27000, { "10000": 1, "5000": 2, "1000": 6, "100": 10 }],
  [20300, { "10000": 1, "5000": 2, "100": 3 }],
  [24950, { "10000": 1, "5000": 2, "1000": 4, "100": 9, "10": 5 }],
])("%i points", (points, sticks) => {
  expect(sticksFor(points, USUAL)).toEqual(sticks);
});

test.each<Sticks>([USUAL, { "10000": 3 }, { "1000": 27 }, {}, { "300": 5, "7": 2 }])(
  "from %o any sum is reached with whole sticks",
  (base) => {
    for (let points = 1000; points < 120_000; points += 637) {
      const sticks = sticksFor(points, base);
      expect(totalOf(sticks)).toBe(points);
      expect(Object.values(sticks).every((count) => Number.isInteger(count) && count > 0)).toBe(true);
    }
  },
);
