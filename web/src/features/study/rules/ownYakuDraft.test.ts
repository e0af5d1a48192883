import { expect, test } from "vitest";
import { changed, draftOf, fileOf, type Draft } from "./rulesDraft";
import { someOf, completed, denied, joined, newOwnId, ownIn, pointed, wordAt } from "./ownYakuDraft";

const BASE = { name: {}, about: {}, yaku: { pinfu: { closed: 1, open: false } } };
const OWN = { closed: 2, open: 1, when: 'only("19m")', name: { ko: "우리" } };

test("a draft carries own yaku whole, in the file and back", () => {
  const tree = { ...BASE, yaku: { ...BASE.yaku, mine: OWN } };
  const draft = draftOf(tree, BASE, "standard");
  expect(ownIn(draft.changes)).toEqual(["mine"]);
  expect(fileOf(draft)).toContain("[yaku.mine]\n");
  expect(fileOf(draft)).toContain('[yaku.mine.name]\nko = "우리"');
  const without: Draft = {
    ...draft,
    changes: new Map([...draft.changes].filter(([path]) => !path.startsWith("yaku.mine."))),
  };
  expect(fileOf(without)).toBe('extends = "standard"\n');
  expect(changed(draft.changes, BASE, "yaku.mine.open", false).get("yaku.mine.open")).toBe(false);
});

test("parts are joined, denied and made of tiles", () => {
  expect(joined(["tsumo", 'only("19m")'], "and")).toBe('tsumo and only("19m")');
  expect(someOf(["honours"], ["9m", "1m", "9m"])).toBe('honours, "19m"');
  expect(someOf([], ["9m", "1m", "9m"], false)).toBe('"199m"');
  expect(denied("tsumo")).toBe("not tsumo");
  expect(denied("runs >= 2")).toBe("not (runs >= 2)");
});

test("the word before the caret is completed", () => {
  expect(wordAt("tsumo and onl", 13)).toBe("onl");
  expect(wordAt("tsumo ", 6)).toBe("");
  expect(completed("tsumo and on or ron", 12, "only()")).toEqual({ text: "tsumo and only() or ron", caret: 15 });
  expect(completed("ya", 2, 'yaku("")')).toEqual({ text: 'yaku("")', caret: 6 });
  expect(completed("", 0, "tsumo")).toEqual({ text: "tsumo", caret: 5 });
});

test("an error points at its character, also behind the end", () => {
  expect(pointed("tsumo ad ron", 7)).toEqual(["tsumo ", "a", "d ron"]);
  expect(pointed("tsumo and", 10)).toEqual(["tsumo and", " ", ""]);
});

test("ids are such as a rules file takes", () => {
  expect(newOwnId()).toMatch(/^own_[a-z0-9]{8}$/);
});
