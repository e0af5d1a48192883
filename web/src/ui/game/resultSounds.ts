// The sounds of a result: each yaku a tone higher, a blow for the limit, and a chord that grows with the hand.
import { settings } from "$data/deviceSettings.svelte";
import { RANKS, type Rank, type WinTimes } from "$domain/game/resultPhases";
import { sequence, type Part } from "../sound";

const ROOT = 349; // hertz
const SCALE = [0, 2, 4, 7, 9] as const; // a pentatonic scale never sounds wrong
const CHORDS: Readonly<Record<Rank, readonly number[]>> = {
  plain: [0, 7],
  mangan: [0, 4, 7],
  haneman: [0, 4, 7, 12],
  baiman: [-5, 0, 4, 7, 12],
  sanbaiman: [-12, -5, 0, 4, 7, 12],
  yakuman: [-12, -5, 0, 4, 7, 12, 16],
};

function hertz(steps: number): number {
  return ROOT * 2 ** (steps / 12);
}

/** A drum: the skin, and its body below. */
function drum(after: number, loud: number): readonly Part[] {
  return [
    { after, seconds: 0.22, hertz: 160, loud, knock: true },
    { after, seconds: 0.5, hertz: 68, loud },
  ];
}

function struck(at: number, i: number): readonly Part[] {
  const steps = (SCALE[i % SCALE.length] ?? 0) + 12 * Math.floor(i / SCALE.length);
  return [
    { after: at, seconds: 0.05, hertz: 900, loud: 0.3, knock: true },
    { after: at, seconds: 0.4, hertz: hertz(steps), loud: 0.13 },
    { after: at, seconds: 0.25, hertz: 2 * hertz(steps), loud: 0.05 },
  ];
}

function chord(rank: Rank, after: number, seconds: number): readonly Part[] {
  return CHORDS[rank].map((steps, i) => ({ after: after + 30 * i, seconds, hertz: hertz(steps), loud: 0.1 }));
}

/** Play parts whose times are milliseconds; the answer ends them. */
function play(parts: readonly Part[]): () => void {
  if (!settings.sound) return () => undefined;
  return sequence(parts.map((part) => ({ ...part, after: part.after / 1000 })));
}

/** Play the sounds of a win; the answer ends them. */
export function playWin(rank: Rank, { hand, yaku, ura, value }: WinTimes): () => void {
  const strength = RANKS.indexOf(rank);
  return play([
    ...drum(0, 0.3 + 0.08 * strength),
    ...drum(hand, 0.25),
    ...yaku.flatMap(({ at }, i) => struck(at, i)),
    ...ura.map((after) => ({ after, seconds: 0.06, hertz: 2600, loud: 0.35, knock: true })),
    ...drum(value, 0.35 + 0.08 * strength),
    ...chord(rank, value, 0.9 + 0.25 * strength),
    ...(rank === "yakuman" ? [0, 180, 360].flatMap((later) => drum(value + later, 0.6)) : []),
  ]);
}

/** Play a drum for each place at the end of a game, and a chord for the first; the answer ends them. */
export function playEnding(times: readonly number[]): () => void {
  return play([...times.flatMap((at) => drum(at, 0.45)), ...chord("yakuman", times.at(-1) ?? 0, 2)]);
}
