// The sounds of a result: a rising tone per yaku, a drum beat for the value, and a chord that grows with the rank.
import { settings } from "$data/deviceSettings.svelte";
import { RANKS, type Rank, type WinTimes } from "$domain/game/resultPhases";
import { sequence, type Hit } from "../sound";

const SCALE = [0, 2, 4, 7, 9] as const; // a pentatonic scale never sounds wrong
const CHORD = [0, 7, 4, 12, -5, -12, 16]; // each rank adds a tone

function chord(rank: Rank, after: number): readonly Hit[] {
  const tones = CHORD.slice(0, 2 + RANKS.indexOf(rank)).sort((one, other) => one - other);
  return tones.map((steps, i) => ({ clip: "tone", after: after + 30 * i, steps }));
}

function drum(after: number, loud: number): Hit {
  return { clip: "drum", after, loud };
}

function strike(after: number, i: number): Hit {
  return { clip: "strike", after, steps: (SCALE[i % SCALE.length] ?? 0) + 12 * Math.floor(i / SCALE.length) };
}

function play(hits: readonly Hit[]): () => void {
  return settings.sound ? sequence(hits) : () => undefined;
}

function weight(rank: Rank): number {
  return 0.8 + 0.2 * RANKS.indexOf(rank);
}

/** Play the call of a win; returns a function that stops it. */
export function playCall(rank: Rank): () => void {
  return play([drum(0, weight(rank))]);
}

/** Play the parts of a win; returns a function that stops them. */
export function playWin(rank: Rank, { yaku, ura, value }: WinTimes): () => void {
  return play([
    drum(0, 0.6),
    ...yaku.map(({ at }, i) => strike(at, i)),
    ...ura.map((after): Hit => ({ clip: "draw", after, loud: 3 })),
    drum(value, weight(rank)),
    ...chord(rank, value),
    ...(rank === "yakuman" ? [0, 180, 360].map((later) => drum(value + later, 1.5)) : []),
  ]);
}

/** Play a drum beat for each final place and a chord for the first; returns a function that stops them. */
export function playEnding(times: readonly number[]): () => void {
  return play([...times.map((at) => drum(at, 1.1)), ...chord("yakuman", times.at(-1) ?? 0)]);
}
