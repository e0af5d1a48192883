import { describe, expect, test } from "vitest";
import { changed, fileOf, valueAt, type Changes } from "./rulesDraft";
import { isIn, isAdded, addPart, removePart, type Rules } from "./gallery";

const BASE = { riichi: { open: false, ippatsu: true }, yaku: { renhou: { closed: false } } };
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
  valueOf = (path: string): unknown => (this.changes.has(path) ? this.changes.get(path) : valueAt(BASE, path));
  change = (path: string, value: unknown): void => void (this.changes = changed(this.changes, BASE, path, value));
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
