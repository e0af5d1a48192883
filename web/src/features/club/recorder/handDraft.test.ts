import { describe, expect, test } from "vitest";
import type { PaymentsInfo } from "$generated/wire";
import type { Hand } from "$domain/enteredHand";
import {
  beginDraw,
  beginWin,
  toggleCall,
  draftOf,
  EMPTY_DRAFT,
  handOf,
  unavailable,
  withWin,
  type Draft,
} from "./handDraft";

// Written by web/record.py before the tests; the build works without it
const files = import.meta.glob<{ table: PaymentsInfo; games: { hands: Hand[] }[] }[]>("/src/generated/hands.json", {
  eager: true,
  import: "default",
});
const settled = Object.values(files).flat();
const standard = settled.find(({ table }) => table.rules === "standard")?.table as PaymentsInfo;

describe("a draft", () => {
  test("becomes the hand sent to the server", () => {
    const ron = withWin(beginWin({ ...EMPTY_DRAFT, riichi: [2] }, 1, 2), 2, { han: 3, fu: 40 });
    expect(handOf(ron)).toEqual({ end: "ron", riichi: [2], wins: [{ seat: 2, han: 3, fu: 40 }], from: 1 });
    expect(handOf({ ...EMPTY_DRAFT, ...beginDraw({ riichi: [3] }) })).toEqual({
      end: "draw",
      riichi: [3],
      tenpai: [3],
    });
    expect(handOf(beginWin(EMPTY_DRAFT, 2, 2))).toBeNull();
    expect(handOf({ ...EMPTY_DRAFT, end: "abort", kind: "sanchahou" })).toBeNull();
    expect(handOf({ ...EMPTY_DRAFT, end: "abort", kind: "sanchahou", from: 0 })).toEqual({
      end: "abort",
      kind: "sanchahou",
      from: 0,
    });
  });

  test("records calls and open wins only when they were entered", () => {
    const ron = withWin(beginWin({ ...EMPTY_DRAFT, riichi: [0] }, 1, 2), 2, { han: 2, fu: 30 });
    const after = (draft: Draft, ...seats: (number | null)[]): Draft =>
      seats.reduce<Draft>((now, seat) => ({ ...now, ...toggleCall(now, seat) }), draft);
    const open = { ...ron, wins: ron.wins.map((win) => ({ ...win, open: true })) };
    expect(handOf(ron)).not.toHaveProperty("calls");
    expect(handOf(after(ron, null))?.calls).toEqual([]);
    expect(handOf(after(ron, null, null))).not.toHaveProperty("calls");
    expect(handOf(after(ron, 3, 2))?.calls).toEqual([2, 3]);
    expect(handOf(after(ron, 3, 3))).not.toHaveProperty("calls");
    expect(handOf(after(ron, 0))?.calls).toEqual([]); // a player in riichi cannot have called
    expect(handOf(open)?.wins?.[0]?.open).toBe(true);
    expect(handOf(after(open, 2))?.wins?.[0]).not.toHaveProperty("open"); // the calls imply it
    expect(handOf({ ...open, riichi: [2] })?.wins?.[0]).not.toHaveProperty("open");
    expect(withWin(open, 2, { limit: "mangan" }).wins[0]?.open).toBe(true);
    expect(
      withWin(open, 2, { limit: "mangan" }, { yaku: [], bonus: {}, riichi: false, open: false }).wins[0]?.open,
    ).toBe(false);
  });

  test("adds or removes the winner's riichi stick to match the entered tiles", () => {
    const worth = { limit: "mangan" } as const;
    const details = { yaku: [], bonus: {}, open: false };
    const ron = beginWin({ ...EMPTY_DRAFT, riichi: [1] }, 1, 2);
    const laid = withWin(ron, 2, worth, { ...details, riichi: true });
    expect(laid.riichi).toEqual([1, 2]);
    expect(withWin(laid, 2, worth, { ...details, riichi: true }).riichi).toEqual([1, 2]);
    expect(withWin(laid, 2, worth, { ...details, riichi: false }).riichi).toEqual([1]);
    expect(withWin(laid, 2, worth).riichi).toEqual([1, 2]);
  });

  test("keeps a hand's calls and the dealer's choice to continue", () => {
    const hand: Hand = { end: "draw", tenpai: [1], calls: [], stop: false };
    expect(handOf(draftOf(hand))).toEqual(hand);
  });

  test.each(settled)("turns back into the same hand: $table.rules", ({ games }) => {
    for (const { hands } of games) {
      for (const hand of hands) {
        const { riichi, nagashi, riichi_tile, ...rest } = hand;
        const whole = {
          ...rest,
          ...(riichi?.length ? { riichi } : {}),
          ...(nagashi?.length ? { nagashi } : {}),
          ...(riichi_tile ? { riichi_tile } : {}),
        };
        expect(handOf(draftOf(hand))).toEqual(whole);
      }
    }
  });

  test("rejects values without a payment under the rules", () => {
    const cell = (han: number, fu: number) =>
      standard.wins.find(({ worth }) => worth.han === han && worth.fu === fu) as PaymentsInfo["wins"][number];
    expect(unavailable(cell(2, 20), false, 0, standard)).toBe(true);
    expect(unavailable(cell(2, 20), true, 0, standard)).toBe(false);
    const strict = { ...standard, two_han_from_honba: 5 };
    expect(unavailable(cell(1, 30), false, 5, strict)).toBe(true);
    expect(unavailable(cell(1, 30), false, 4, strict)).toBe(false);
    expect(unavailable({ worth: { limit: "mangan" }, ron: [1, 1], tsumo: [1, 1, 1] }, false, 5, strict)).toBe(false);
    expect(
      unavailable({ worth: { limit: "mangan" }, ron: [1, 1], tsumo: [1, 1, 1] }, false, 1, {
        ...standard,
        two_han_from_honba: 1,
      }),
    ).toBe(false);
  });
});
