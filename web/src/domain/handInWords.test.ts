import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loadWords, setLanguage } from "./words.svelte";
import type { Hand } from "./enteredHand";
import { handInWords, worthOf } from "./handInWords";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await loadWords("club");
  await setLanguage("en");
});
afterAll(() => vi.unstubAllGlobals());

const NAMES = ["Ann", "Ben", "Cho", "Dai"];
const line = (hand: Hand) => handInWords(hand, NAMES).lines[0];

describe("a hand in words", () => {
  test("a double ron has a line for each winner", () => {
    const hand: Hand = {
      end: "ron",
      from: 1,
      riichi: [0, 2],
      wins: [
        { seat: 0, han: 3, fu: 40 },
        { seat: 2, limit: "mangan" },
      ],
    };
    const words = handInWords(hand, NAMES);
    expect(words.lines.map(({ text, worth }) => `${text}: ${worth}`)).toEqual([
      "Ann wins by ron from Ben: 3 han 40 fu",
      "Cho wins by ron from Ben: mangan",
    ]);
    expect(words.notes).toEqual(["Riichi: Ann, Cho"]);
  });

  test("only valid rons are wins, and none means an abortive draw", () => {
    const hand: Hand = {
      end: "ron",
      from: 1,
      wins: [
        { seat: 0, han: 1, fu: 30 },
        { seat: 2, han: 1, fu: 30 },
        { seat: 3, han: 1, fu: 30 },
      ],
    };
    expect(handInWords(hand, NAMES, [2]).lines.map(({ text }) => text)).toEqual(["Cho wins by ron from Ben"]);
    expect(handInWords(hand, NAMES, []).lines).toEqual([
      { text: "Abortive draw", worth: "Triple ron", notes: ["Ann, Cho, Dai"] },
    ]);
  });

  test("the yaku are listed, or reported as not recorded", () => {
    expect(line({ end: "tsumo", wins: [{ seat: 3, han: 2, fu: 30, yaku: ["riichi", "tanyao"] }] })?.notes).toEqual([
      "Riichi, Tanyao",
    ]);
    expect(
      line({ end: "tsumo", wins: [{ seat: 3, han: 3, fu: 30, yaku: ["riichi", "ura_dora", "kita"] }] })?.notes,
    ).toEqual(["Riichi, Ura dora, Kita"]);
    expect(line({ end: "tsumo", wins: [{ seat: 3, han: 2, fu: 30 }] })?.notes).toEqual(["no yaku recorded"]);
  });

  test.each([
    [1, "yakuman"],
    [2, "double yakuman"],
    [4, "4-fold yakuman"],
  ])("%i yakuman: %s", (yakuman, worth) => {
    expect(worthOf({ yakuman })).toBe(worth);
  });

  test("liable players are named", () => {
    expect(line({ end: "tsumo", wins: [{ seat: 2, yakuman: 1, pao: { seats: [1] } }] })?.notes).toContain(
      "liable (pao): Ben",
    );
  });

  test("draws name the tenpai players", () => {
    expect(line({ end: "draw", tenpai: [0, 3] })).toMatchObject({
      text: "Exhaustive draw",
      notes: ["Tenpai: Ann, Dai"],
    });
    expect(line({ end: "draw", nagashi: [1] })?.notes).toEqual(["No one is tenpai.", "Nagashi mangan: Ben"]);
    expect(line({ end: "abort", kind: "suufuu_renda" })?.worth).toBe("Four winds");
  });

  test("fouls are listed with any ending", () => {
    expect(handInWords({ end: "foul", fouls: [{ seat: 1, foul: "furiten_ron" }] }, NAMES).notes).toEqual([
      "Ben: Ron in furiten",
    ]);
  });
});
