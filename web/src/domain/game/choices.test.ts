import { describe, expect, test } from "vitest";
import type { Own } from "$generated/wire";
import { automatic, choicesOf, discardOf, type Action } from "./choices";

const NEVER = { win: false, noCalls: false, discard: false, kita: false };

function asked(legal: Action[], more: Partial<Own> = {}): Own {
  const usual: Own = {
    hand: "055m",
    drawn: null,
    waits: "",
    furiten: null,
    offered: null,
    ask: 7,
    legal,
    fouls: [],
    left_ms: null,
  };
  return { ...usual, ...more };
}

const pass: Action = { type: "pass" };
const ron: Action = { type: "ron" };
const drawn: Action = { type: "discard", tile: "3p", drawn: true };
const other: Action = { type: "discard", tile: "5m" };
const north: Action = { type: "kita" };
const riichi: Action = { type: "discard", tile: "5m", riichi: "riichi" };

test("nothing may be chosen where nothing is asked", () => {
  const choices = choicesOf(asked([pass, ron], { ask: null }));
  expect([choices.pass, choices.win, choices.discards]).toEqual([null, null, []]);
});

test("each pon shows the tiles it takes from the hand", () => {
  const legal: Action[] = [pass, { type: "pon", red: 0 }, { type: "pon", red: 1 }];
  const { calls } = choicesOf(asked(legal, { offered: { tile: "5m", from: 2 } }));
  expect(calls.pon.map((way) => way.tiles)).toEqual([
    ["5m", "5m"],
    ["0m", "5m"],
  ]);
});

test("riichi is kept apart from plain discards", () => {
  const riichi: Action = { type: "discard", tile: "5m", riichi: "open" };
  const choices = choicesOf(asked([drawn, other, riichi]));
  expect(choices.discards).toEqual([drawn, other]);
  expect(choices.riichi.open).toEqual([riichi]);
});

test("a drawn tile and its equal in the hand are different discards", () => {
  const held: Action = { type: "discard", tile: "3p" };
  const { discards } = choicesOf(asked([drawn, held]));
  expect(discardOf(discards, "3p", true)).toBe(drawn);
  expect(discardOf(discards, "3p", false)).toBe(held);
  expect(discardOf(discards, "9s", false)).toBeNull();
});

describe("what is answered by itself", () => {
  test.each<[string, Action[], Partial<typeof NEVER>, Action | null]>([
    ["nothing unless wanted", [pass, ron], {}, null],
    ["a win where wanted", [pass, ron], { win: true }, ron],
    ["never a pass instead of a win", [pass, ron], { noCalls: true }, null],
    ["pass where no calls are wanted", [pass, { type: "pon", red: 0 }], { noCalls: true }, pass],
    ["the only thing there is to do, as in riichi", [drawn], {}, drawn],
    ["the drawn tile where wanted", [drawn, other], { discard: true }, drawn],
    [
      "no discard where a kan is possible",
      [drawn, other, { type: "kan", kind: "ankan", tile: "5m" }],
      { discard: true },
      null,
    ],
    ["no discard where a north may be set aside", [drawn, north], { discard: true }, null],
    [
      "a north set aside where wanted",
      [drawn, north, riichi, { type: "kan", kind: "ankan", tile: "5m" }],
      { discard: true, kita: true },
      north,
    ],
    ["never a north instead of a win", [drawn, north, { type: "tsumo" }], { kita: true }, null],
    [
      "no north where the hand may end with nine orphans",
      [drawn, north, { type: "nine_terminals" }],
      { kita: true },
      null,
    ],
    ["no discard for want of a north", [drawn, other], { kita: true }, null],
    ["no discard where riichi is possible", [drawn, riichi], { discard: true }, null],
  ])("%s", (_, legal, wanted, answer) => {
    expect(automatic(asked(legal), { ...NEVER, ...wanted })).toEqual(answer);
  });
});

test("the leading dealer is asked whether to end the game, and nobody answers for them", () => {
  const legal: Action[] = [{ type: "end_game" }, { type: "play_on" }];
  expect(choicesOf(asked(legal)).ends.map((ending) => ending.type)).toEqual(["end_game", "play_on"]);
  expect(automatic(asked(legal), { win: true, noCalls: true, discard: true, kita: true })).toBeNull();
});
