import { expect, it } from "vitest";
import type { GameEvent } from "$domain/game/events";
import { cryOf } from "./heardEvents";

const meld = (type: string): unknown => ({ type: "called", seat: 2, meld: { type, tiles: "" } });

it.each([
  [{ type: "discarded", seat: 1, tile: "1m" }, null],
  [{ type: "discarded", seat: 1, tile: "1m", riichi: "open" }, "open_riichi"],
  [{ type: "discarded", seat: 1, tile: "1m", riichi: "riichi" }, "riichi"],
  [meld("chi"), "chi"],
  [meld("pon"), "pon"],
  [meld("daiminkan"), "kan"],
  [{ type: "kita_declared", seat: 2 }, "kita"],
  [{ type: "won", seat: 3, source: 1 }, "ron"],
  [{ type: "won", seat: 3, source: null }, "tsumo"],
  [{ type: "drew", seat: 1 }, null],
])("says what a seat calls: %o", (event, word) => {
  expect(cryOf(event as GameEvent)?.word ?? null).toBe(word);
});
