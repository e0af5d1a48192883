import { expect, it } from "vitest";
import type { Action } from "./choices";
import { marksIn } from "./marks";

const HELD = { hand: ["1m", "5p", "5p", "0p", "9s"], drawn: "5p" };
const discard = (tile: string, drawn = false): Action => ({ type: "discard", tile, drawn });

it.each<[string, Action, Action | null, ReturnType<typeof marksIn>]>([
  ["two different tiles", discard("1m"), discard("9s"), { 0: "played", 4: "advised" }],
  ["one of two copies", discard("5p"), discard("1m"), { 2: "played", 0: "advised" }],
  ["the drawn copy", discard("5p", true), discard("1m"), { 5: "played", 0: "advised" }],
  ["a red tile", discard("0p"), discard("1m"), { 3: "played", 0: "advised" }],
  ["the same tile", discard("1m"), discard("1m"), { 0: "advised" }],
  ["no advice", discard("1m"), null, { 0: "played" }],
  ["no discard", { type: "pass" }, { type: "tsumo" }, {}],
])("marks %s", (_, played, advised, marks) => {
  expect(marksIn(HELD, { seat: 0, played, advised })).toEqual(marks);
});

it("marks nothing in a hidden hand", () => {
  expect(marksIn({ hand: null, drawn: null }, { seat: 0, played: discard("1m"), advised: null })).toEqual({});
});
