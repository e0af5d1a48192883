import { describe, expect, test } from "vitest";
import { changed, fileOf, valueAt, type Changes } from "./rulesDraft";
import { isIn, isTaken, put, takeOut, type Rules } from "./gallery";

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
  test.each([PEACOCK, OPEN])("$id goes into the file and out of it again", (part) => {
    const rules = new Edited();
    const before = rules.file;
    expect(isTaken(part, rules)).toBe(false);
    put(part, rules);
    expect(isTaken(part, rules)).toBe(true);
    expect(rules.file).not.toBe(before);
    takeOut(part, rules);
    expect(rules.file).toBe(before);
  });

  test("a yaku whose han were changed is still in", () => {
    const rules = new Edited();
    put(PEACOCK, rules);
    rules.change("yaku.peacock.closed", 8);
    expect(isTaken(PEACOCK, rules)).toBe(true);
    expect(rules.file).toContain("only(");
  });

  test("what the preset has cannot be taken out", () => {
    const rules = new Edited();
    expect([isIn(IPPATSU, rules), isTaken(IPPATSU, rules)]).toEqual([true, false]);
  });
});
