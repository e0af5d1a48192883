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

test("there are no choices without a request", () => {
  const choices = choicesOf(asked([pass, ron], { ask: null }));
  expect([choices.pass, choices.win, choices.discards]).toEqual([null, null, []]);
});

test("each pon lists the tiles it uses from the hand", () => {
  const legal: Action[] = [pass, { type: "pon", red: 0 }, { type: "pon", red: 1 }];
  const { calls } = choicesOf(asked(legal, { offered: { tile: "5m", from: 2 } }));
  expect(calls.pon.map((way) => way.tiles)).toEqual([
    ["5m", "5m"],
    ["0m", "5m"],
  ]);
});

test("riichi is separate from plain discards", () => {
  const riichi: Action = { type: "discard", tile: "5m", riichi: "open" };
  const choices = choicesOf(asked([drawn, other, riichi]));
  expect(choices.discards).toEqual([drawn, other]);
  expect(choices.riichi.open).toEqual([riichi]);
});

test("a drawn tile and its copy in the hand are different discards", () => {
  const held: Action = { type: "discard", tile: "3p" };
  const { discards } = choicesOf(asked([drawn, held]));
  expect(discardOf(discards, "3p", true)).toBe(drawn);
  expect(discardOf(discards, "3p", false)).toBe(held);
  expect(discardOf(discards, "9s", false)).toBeNull();
});

describe("the automatic answer", () => {
  test.each<[string, Action[], Partial<typeof NEVER>, Action | null]>([
    ["is none unless enabled", [pass, ron], {}, null],
    ["is a win if enabled", [pass, ron], { win: true }, ron],
    ["never passes on a win", [pass, ron], { noCalls: true }, null],
    ["passes if calls are declined", [pass, { type: "pon", red: 0 }], { noCalls: true }, pass],
    ["is the only legal action, as in riichi", [drawn], {}, drawn],
    ["discards the drawn tile if enabled", [drawn, other], { discard: true }, drawn],
    [
      "does not discard when a kan is possible",
      [drawn, other, { type: "kan", kind: "ankan", tile: "5m" }],
      { discard: true },
      null,
    ],
    ["does not discard when a north may be set aside", [drawn, north], { discard: true }, null],
    [
      "sets a north aside if enabled",
      [drawn, north, riichi, { type: "kan", kind: "ankan", tile: "5m" }],
      { discard: true, kita: true },
      north,
    ],
    ["never sets a north aside instead of winning", [drawn, north, { type: "tsumo" }], { kita: true }, null],
    [
      "sets no north aside when nine orphans may end the hand",
      [drawn, north, { type: "nine_terminals" }],
      { kita: true },
      null,
    ],
    ["does not discard because there is no north", [drawn, other], { kita: true }, null],
    ["does not discard when riichi is possible", [drawn, riichi], { discard: true }, null],
  ])("%s", (_, legal, wanted, answer) => {
    expect(automatic(asked(legal), { ...NEVER, ...wanted })).toEqual(answer);
  });
});

test("ending the game is a choice of the leading dealer and never automatic", () => {
  const legal: Action[] = [{ type: "end_game" }, { type: "play_on" }];
  expect(choicesOf(asked(legal)).ends.map((ending) => ending.type)).toEqual(["end_game", "play_on"]);
  expect(automatic(asked(legal), { win: true, noCalls: true, discard: true, kita: true })).toBeNull();
});
