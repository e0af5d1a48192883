import { describe, expect, it } from "vitest";
import type { CryWord } from "$domain/game/tableState";
import { speakWord, WORDS } from "./callVoice";

const RATE = 16000;
const words = Object.keys(WORDS) as CryWord[];

/** How strong a band of frequencies is in a part of the samples. */
function strength(samples: Float32Array, from: number, to: number, low: number, high: number): number {
  let sum = 0;
  for (let hertz = low; hertz < high; hertz += 40) {
    let [cos, sin] = [0, 0];
    for (let i = Math.floor(from * samples.length); i < to * samples.length; i++) {
      cos += (samples[i] ?? 0) * Math.cos((2 * Math.PI * hertz * i) / RATE);
      sin += (samples[i] ?? 0) * Math.sin((2 * Math.PI * hertz * i) / RATE);
    }
    sum += Math.hypot(cos, sin);
  }
  return sum;
}

describe("the voice", () => {
  it.each(words)("says %s in under a second, as loud as may be and without a click", (word) => {
    const samples = speakWord(word, 0, RATE);
    const most = Math.max(...samples.map(Math.abs));
    expect(samples.length / RATE).toBeLessThan(1);
    expect(most).toBeGreaterThan(0.5);
    expect(most).toBeLessThanOrEqual(0.9001);
    expect(Math.abs(samples[0] ?? 1) + Math.abs(samples.at(-1) ?? 1)).toBeLessThan(0.01);
  });

  it("has the bright vowel of chi and the dark one of ron", () => {
    const bright = (word: CryWord): number => {
      const samples = speakWord(word, 0, RATE);
      return strength(samples, 0.5, 0.9, 1900, 2600) / strength(samples, 0.5, 0.9, 100, 1000);
    };
    expect(bright("chi")).toBeGreaterThan(3 * bright("ron"));
  });

  it("hisses before the vowel of tsumo and not of ron", () => {
    const hiss = (word: CryWord): number => {
      const samples = speakWord(word, 0, RATE);
      return strength(samples, 0, 0.12, 3500, 6500) / strength(samples, 0, 0.12, 100, 1500);
    };
    expect(hiss("tsumo")).toBeGreaterThan(5 * hiss("ron"));
  });

  it("gives every seat a voice of its own", () => {
    const still = (): number => 0.5;
    const said = [0, 1, 2, 3].map((seat) => speakWord("ron", seat, RATE, still).slice(2000, 2100).join());
    expect(new Set(said).size).toBe(4);
  });
});
