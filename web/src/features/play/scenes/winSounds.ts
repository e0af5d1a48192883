// What is heard of a scene: each yaku a tone higher, a blow for the limit, and a chord that grows with the hand.
import { settings } from "$data/deviceSettings.svelte";
import { sequence, type Part } from "$ui/sound";
import { RANKS, type Plan, type Rank } from "./winScenePlan";

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

/** All sounds of a scene from `from` milliseconds on, in seconds from now. */
export function tonesOf(plan: Plan, from = 0): Part[] {
  const strength = RANKS.indexOf(plan.rank);
  const chord = CHORDS[plan.rank].map((steps, i) => ({
    after: plan.value + 30 * i,
    seconds: 0.9 + 0.25 * strength,
    hertz: hertz(steps),
    loud: 0.1,
  }));
  const all: Part[] = [
    ...drum(0, 0.3 + 0.08 * strength),
    ...drum(plan.hand, 0.25),
    ...plan.yaku.flatMap((hit, i) => struck(hit.at, i)),
    ...plan.ura.map((after) => ({ after, seconds: 0.06, hertz: 2600, loud: 0.35, knock: true })),
    ...drum(plan.value, 0.35 + 0.08 * strength),
    ...chord,
    ...(plan.rank === "yakuman" ? [0, 180, 360].flatMap((later) => drum(plan.value + later, 0.6)) : []),
  ];
  return all.filter(({ after }) => after >= from).map((part) => ({ ...part, after: (part.after - from) / 1000 }));
}

/** Plays a drum for each place at the end of a game, and a chord for the first; the answer ends them. */
export function playEnding(times: readonly number[]): () => void {
  if (!settings.sound) return () => undefined;
  const last = (times.at(-1) ?? 0) / 1000;
  const chord = CHORDS.yakuman.map((steps, i) => ({
    after: last + 0.04 * i,
    seconds: 2,
    hertz: hertz(steps),
    loud: 0.1,
  }));
  return sequence([...times.flatMap((at) => drum(at / 1000, 0.45)), ...chord]);
}

/** Plays the sounds of a scene; the answer ends them. */
export function playScene(plan: Plan, from = 0): () => void {
  return settings.sound ? sequence(tonesOf(plan, from)) : () => undefined;
}
