import { expect, test } from "vitest";
import { changed, changesFrom, fileOf } from "./rulesDraft";
import { negated, argumentsOf } from "./ownYakuDraft";

const BASE = { name: {}, about: {}, yaku: { pinfu: { closed: 1, open: false } } };
const OWN = { closed: 2, open: 1, when: 'only("19m")', name: { ko: "우리" } };

test("a draft preserves custom yaku through the rules file", () => {
  const tree = { ...BASE, yaku: { ...BASE.yaku, mine: OWN } };
  const changes = changesFrom(tree, BASE);
  expect(fileOf("standard", changes)).toContain("[yaku.mine]\n");
  expect(fileOf("standard", changes)).toContain('[yaku.mine.name]\nko = "우리"');
  const without = new Map([...changes].filter(([path]) => !path.startsWith("yaku.mine.")));
  expect(fileOf("standard", without)).toBe('extends = "standard"\n');
  expect(changed(changes, BASE, "yaku.mine.open", false).get("yaku.mine.open")).toBe(false);
});

test("parts are negated and built from tiles", () => {
  expect(argumentsOf(["honours"], ["9m", "1m", "9m"])).toBe('honours, "19m"');
  expect(argumentsOf([], ["9m", "1m", "9m"], false)).toBe('"199m"');
  expect(negated("tsumo")).toBe("not tsumo");
  expect(negated("runs >= 2")).toBe("not (runs >= 2)");
});
