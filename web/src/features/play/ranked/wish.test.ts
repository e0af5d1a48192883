import { expect, test } from "vitest";
import { bodyOf, FIRST, storedWish, linesOf, toggled } from "./wish";

test("a wish covers every combination of family, length and number of players", () => {
  const wish = { ...FIRST, families: ["standard", "tenhou"] as const, lengths: ["east", "hanchan"] as const };
  expect(linesOf(wish)).toHaveLength(4);
  expect(bodyOf({ ...wish, bots: 60 }, true).bots_after_s).toBeNull();
});

test.each([
  [["a"], "b", ["a", "b"]],
  [["a", "b"], "a", ["b"]],
  [["a"], "a", ["a"]],
])("%j with %s becomes %j", (chosen, item, wanted) => expect(toggled(chosen, item)).toEqual(wanted));

test.each([null, "", "5", "null", "{}", '{"families":["gone"],"lengths":["east"],"players":[4]}'])(
  "%j gives the default wish",
  (text) => expect(storedWish(text)).toEqual(FIRST),
);

test("unknown parts of a stored wish are dropped", () => {
  const text = JSON.stringify({ ...FIRST, families: ["tenhou", "gone"], bots: 7, away: true });
  expect(storedWish(text)).toEqual({ ...FIRST, families: ["tenhou"], bots: null, away: true });
});
