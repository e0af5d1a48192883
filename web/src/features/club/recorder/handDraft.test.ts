import { describe, expect, test } from "vitest";
import type { PaymentsInfo } from "$generated/wire";
import type { Hand } from "$domain/enteredHand";
import { beginDraw, beginWin, called, draftOf, EMPTY, handOf, impossible, won, type Draft } from "./handDraft";

// web/record.py writes it just before the tests; the build does not need it
const files = import.meta.glob<{ table: PaymentsInfo; games: { hands: Hand[] }[] }[]>("/src/generated/hands.json", {
  eager: true,
  import: "default",
});
const settled = Object.values(files).flat();
const standard = settled.find(({ table }) => table.rules === "standard")?.table as PaymentsInfo;

describe("a draft", () => {
  test("becomes the hand that the server takes", () => {
    const ron = won(beginWin({ ...EMPTY, riichi: [2] }, 1, 2), 2, { han: 3, fu: 40 });
    expect(handOf(ron)).toEqual({ end: "ron", riichi: [2], wins: [{ seat: 2, han: 3, fu: 40 }], from: 1 });
    expect(handOf({ ...EMPTY, ...beginDraw({ riichi: [3] }) })).toEqual({ end: "draw", riichi: [3], tenpai: [3] });
    expect(handOf(beginWin(EMPTY, 2, 2))).toBeNull();
    expect(handOf({ ...EMPTY, end: "abort", kind: "sanchahou" })).toBeNull();
    expect(handOf({ ...EMPTY, end: "abort", kind: "sanchahou", from: 0 })).toEqual({
      end: "abort",
      kind: "sanchahou",
      from: 0,
    });
  });

  test("notes who called, and whether a win was open, only if somebody says so", () => {
    const ron = won(beginWin({ ...EMPTY, riichi: [0] }, 1, 2), 2, { han: 2, fu: 30 });
    const after = (draft: Draft, ...seats: (number | null)[]): Draft =>
      seats.reduce<Draft>((now, seat) => ({ ...now, ...called(now, seat) }), draft);
    const open = { ...ron, wins: ron.wins.map((win) => ({ ...win, open: true })) };
    expect(handOf(ron)).not.toHaveProperty("calls");
    expect(handOf(after(ron, null))?.calls).toEqual([]);
    expect(handOf(after(ron, null, null))).not.toHaveProperty("calls");
    expect(handOf(after(ron, 3, 2))?.calls).toEqual([2, 3]);
    expect(handOf(after(ron, 3, 3))).not.toHaveProperty("calls");
    expect(handOf(after(ron, 0))?.calls).toEqual([]); // whoever is in riichi has not called
    expect(handOf(open)?.wins?.[0]?.open).toBe(true);
    expect(handOf(after(open, 2))?.wins?.[0]).not.toHaveProperty("open"); // the calls say it
    expect(handOf({ ...open, riichi: [2] })?.wins?.[0]).not.toHaveProperty("open");
    expect(won(open, 2, { limit: "mangan" }).wins[0]?.open).toBe(true);
    expect(won(open, 2, { limit: "mangan" }, { yaku: [], bonus: {}, riichi: false, open: false }).wins[0]?.open).toBe(
      false,
    );
  });

  test("of tiles in riichi lays the winner's stick, and takes it back", () => {
    const worth = { limit: "mangan" } as const;
    const details = { yaku: [], bonus: {}, open: false };
    const ron = beginWin({ ...EMPTY, riichi: [1] }, 1, 2);
    const laid = won(ron, 2, worth, { ...details, riichi: true });
    expect(laid.riichi).toEqual([1, 2]);
    expect(won(laid, 2, worth, { ...details, riichi: true }).riichi).toEqual([1, 2]);
    expect(won(laid, 2, worth, { ...details, riichi: false }).riichi).toEqual([1]);
    expect(won(laid, 2, worth).riichi).toEqual([1, 2]);
  });

  test("keeps what a hand says beside its end", () => {
    const hand: Hand = { end: "draw", tenpai: [1], calls: [], stop: false };
    expect(handOf(draftOf(hand))).toEqual(hand);
  });

  test.each(settled)("of a hand is that hand again: $table.rules", ({ games }) => {
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

  test("cannot have a worth that the rules lack", () => {
    const cell = (han: number, fu: number) =>
      standard.wins.find(({ worth }) => worth.han === han && worth.fu === fu) as PaymentsInfo["wins"][number];
    expect(impossible(cell(2, 20), false, 0, standard)).toBe(true);
    expect(impossible(cell(2, 20), true, 0, standard)).toBe(false);
    const strict = { ...standard, two_han_from_honba: 5 };
    expect(impossible(cell(1, 30), false, 5, strict)).toBe(true);
    expect(impossible(cell(1, 30), false, 4, strict)).toBe(false);
    expect(impossible({ worth: { limit: "mangan" }, ron: [1, 1], tsumo: [1, 1, 1] }, false, 5, strict)).toBe(false);
    expect(
      impossible({ worth: { limit: "mangan" }, ron: [1, 1], tsumo: [1, 1, 1] }, false, 1, {
        ...standard,
        two_han_from_honba: 1,
      }),
    ).toBe(false);
  });
});
