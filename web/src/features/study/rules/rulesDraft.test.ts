import { describe, expect, test } from "vitest";
import type { SchemaPart } from "$generated/wire";
import {
  addPart,
  argumentsOf,
  changed,
  changesFrom,
  fileName,
  fileOf,
  isAdded,
  isIn,
  kindOf,
  matches,
  negated,
  numberOf,
  rebased,
  removePart,
  sameValue,
  sectionsOf,
  type Changes,
  type Rules,
  valueAt,
} from "./rulesDraft";

const BASE = {
  name: { en: "Standard" },
  about: {},
  match: { uma: [1, -1], length: "east", sticks: { "1000": 5, "100": 10 } },
  yaku: { pinfu: { closed: 1, open: false } },
};

test("a value equal to the preset's is not a change, whatever the order of its keys", () => {
  expect(sameValue({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(sameValue([1, 2], [2, 1])).toBe(false);
  const once = changed(new Map(), BASE, "match.uma", [3, -3]);
  expect([...once]).toEqual([["match.uma", [3, -3]]]);
  expect(changed(once, BASE, "match.uma", [1, -1]).size).toBe(0);
});

test("rules are represented by a preset and the differences from it", () => {
  const tree = {
    ...BASE,
    name: { ko: "우리" },
    match: { ...BASE.match, length: "full" },
    yaku: { pinfu: { closed: 0, open: false } },
  };
  expect([...changesFrom(tree, BASE).keys()]).toEqual(["name", "match.length", "yaku.pinfu.closed"]);
  expect(changesFrom(BASE, BASE).size).toBe(0);
});

test("with another preset, only remaining differences are kept", () => {
  const other = { ...BASE, match: { ...BASE.match, length: "full" } };
  expect(rebased(changesFrom(other, BASE), other).size).toBe(0);
});

test("the file contains the parent, the texts, and each option in its section", () => {
  const changes = new Map<string, unknown>([
    ["name", { en: 'The "Club"' }],
    ["yaku.pinfu.closed", 0],
    ["match.sticks", { "1000": 5 }],
    ["match.floating_uma", [[1], [2]]],
  ]);
  expect(fileOf("tenhou", changes)).toBe(
    'extends = "tenhou"\n\n[name]\nen = "The \\"Club\\""\n\n[match]\nfloating_uma = [ [ 1 ], [ 2 ] ]\n\n[match.sticks]\n1000 = 5\n\n[yaku.pinfu]\nclosed = 0\n',
  );
  expect(fileName(changes)).toBe("The-Club.toml");
  expect(fileName(new Map())).toBe("rules.toml");
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

test("an unfinished number stays as typed", () => {
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

test("the sections of the schema list every option with its path", () => {
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

const PRESET = { riichi: { open: false, ippatsu: true }, yaku: { renhou: { closed: false } } };
const PEACOCK = {
  id: "peacock",
  kind: "yaku" as const,
  changes: {
    "yaku.peacock.closed": "yakuman",
    "yaku.peacock.when": 'only("7z")',
    "yaku.peacock.name": { ko: "홍공작" },
  },
};
const OPEN = { id: "open_riichi", kind: "house" as const, changes: { "riichi.open": true } };
const IPPATSU = { id: "ippatsu", kind: "house" as const, changes: { "riichi.ippatsu": true } };

class Edited implements Rules {
  changes: Changes = new Map();
  isChanged = (path: string): boolean => this.changes.has(path);
  valueOf = (path: string): unknown => (this.changes.has(path) ? this.changes.get(path) : valueAt(PRESET, path));
  change = (path: string, value: unknown): void => void (this.changes = changed(this.changes, PRESET, path, value));
  reset = (path: string): void =>
    void (this.changes = new Map([...this.changes].filter(([each]) => each !== path && !each.startsWith(`${path}.`))));
  get file(): string {
    return fileOf("standard", this.changes);
  }
}

describe("a part of the gallery", () => {
  test.each([PEACOCK, OPEN])("$id can be added to the file and removed again", (part) => {
    const rules = new Edited();
    const before = rules.file;
    expect(isAdded(part, rules)).toBe(false);
    addPart(part, rules);
    expect(isAdded(part, rules)).toBe(true);
    expect(rules.file).not.toBe(before);
    removePart(part, rules);
    expect(rules.file).toBe(before);
  });

  test("a yaku with changed han still counts as added", () => {
    const rules = new Edited();
    addPart(PEACOCK, rules);
    rules.change("yaku.peacock.closed", 8);
    expect(isAdded(PEACOCK, rules)).toBe(true);
    expect(rules.file).toContain("only(");
  });

  test("a part that the preset has does not count as added", () => {
    const rules = new Edited();
    expect([isIn(IPPATSU, rules), isAdded(IPPATSU, rules)]).toEqual([true, false]);
  });
});

const USUAL = { name: {}, about: {}, yaku: { pinfu: { closed: 1, open: false } } };
const OWN = { closed: 2, open: 1, when: 'only("19m")', name: { ko: "우리" } };

test("a draft preserves custom yaku through the rules file", () => {
  const tree = { ...USUAL, yaku: { ...USUAL.yaku, mine: OWN } };
  const changes = changesFrom(tree, USUAL);
  expect(fileOf("standard", changes)).toContain("[yaku.mine]\n");
  expect(fileOf("standard", changes)).toContain('[yaku.mine.name]\nko = "우리"');
  const without = new Map([...changes].filter(([path]) => !path.startsWith("yaku.mine.")));
  expect(fileOf("standard", without)).toBe('extends = "standard"\n');
  expect(changed(changes, USUAL, "yaku.mine.open", false).get("yaku.mine.open")).toBe(false);
});

test("parts are negated and built from tiles", () => {
  expect(argumentsOf(["honours"], ["9m", "1m", "9m"])).toBe('honours, "19m"');
  expect(argumentsOf([], ["9m", "1m", "9m"], false)).toBe('"199m"');
  expect(negated("tsumo")).toBe("not tsumo");
  expect(negated("runs >= 2")).toBe("not (runs >= 2)");
});
