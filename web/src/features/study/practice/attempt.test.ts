import { describe, expect, test } from "vitest";
import { choicesInHand, choose, give, isRight, markOf, NEW } from "./attempt";

describe("one right choice", () => {
  const asked = { right: [1], several: false };

  test("the first choice is the answer and stays it", () => {
    const answered = choose(asked, NEW, 0);
    expect(answered.phase).toBe("answered");
    expect(choose(asked, answered, 1)).toBe(answered);
    expect(isRight(asked, answered)).toBe(false);
    expect([0, 1, 2].map((index) => markOf(asked, answered, index))).toEqual(["wrong", "missed", ""]);
    expect(isRight(asked, choose(asked, NEW, 1))).toBe(true);
  });
});

describe("several right choices", () => {
  const asked = { right: [0, 2], several: true };

  test("choices can be taken back until the answer is given", () => {
    const twice = choose(asked, choose(asked, NEW, 1), 1);
    expect(twice.chosen.size).toBe(0);
    expect(give(twice).phase).toBe("asking");
    const both = choose(asked, choose(asked, twice, 0), 2);
    expect(markOf(asked, both, 0)).toBe("");
    expect(isRight(asked, give(both))).toBe(true);
  });

  test("one too few and one too many are both wrong", () => {
    const few = give(choose(asked, NEW, 0));
    expect(isRight(asked, few)).toBe(false);
    expect([0, 1, 2].map((index) => markOf(asked, few, index))).toEqual(["right", "", "missed"]);
    const many = [0, 1, 2].reduce((attempt, index) => choose(asked, attempt, index), NEW);
    expect(isRight(asked, give(many))).toBe(false);
  });
});

test("each tile of the hand stands for a choice, a red five for a plain one", () => {
  const choices = [{ tile: "1m" }, { tile: "5p" }, { tile: "" }];
  expect(choicesInHand(["1m", "1m", "0p"], choices)).toEqual([0, 0, 1]);
  expect(choicesInHand(["1m", "9s"], choices)).toBeNull();
});
