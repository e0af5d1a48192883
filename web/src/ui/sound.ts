// Sounds and spoken calls: clips of one file that `research/sounds.py` makes. It is loaded when the first is needed.
import { settings } from "$data/deviceSettings.svelte";
import type { CryWord, Seat } from "$domain/game/tableState";
import clips from "./sounds/clips.json";
import file from "./sounds/clips.mp3?url";

export type Sound = "draw" | "discard" | "call" | "riichi" | "win" | "turn" | "end";
/** Signals of a round, for a whole room: longer and louder. */
export type RoundSound = "round_start" | "round_soon" | "round_end";
type Clip = keyof typeof clips;

const LATE_MS = 2000; // a sound that could not be loaded earlier would belong to something else
const AUDIBLE = 0.05;
const OF_TILES: readonly Clip[] = ["draw", "discard", "call"];
const VOICES = [1, 1.18, 0.85, 1.08] as const; // how fast, and so how high, each seat speaks

/** Clips, and after how many seconds each begins. */
const SOUNDS: Record<Sound | RoundSound, readonly (readonly [clip: Clip, after: number])[]> = {
  draw: [["draw", 0]],
  discard: [["discard", 0]],
  call: [["call", 0]],
  riichi: [
    ["discard", 0],
    ["riichi", 0],
  ],
  win: [["win", 0]],
  turn: [["turn", 0]],
  end: [["end", 0]],
  round_start: [["gong", 0]],
  round_soon: [0, 0.5].map((after) => ["soon", after]),
  round_end: [0, 1, 2].map((after) => ["gong", after]),
};

interface Player {
  audio: AudioContext;
  samples: AudioBuffer;
  /** How much later than in the list the clips begin: decoders differ in the silence before an MP3. */
  shift: number;
}
let player: Promise<Player> | null = null;

async function load(): Promise<Player> {
  const audio = new AudioContext();
  const samples = await audio.decodeAudioData(await (await fetch(file)).arrayBuffer());
  const begins = samples.getChannelData(0).findIndex((sample) => Math.abs(sample) > AUDIBLE);
  const [first = 0] = clips.discard;
  return { audio, samples, shift: begins / samples.sampleRate - first };
}

/** Play a clip after some seconds, unless it is silent; browsers allow no sound before the first tap. */
async function start(clip: Clip, volume: number, after: number, rate: number): Promise<AudioBufferSourceNode | null> {
  if (volume <= 0 || !navigator.userActivation?.hasBeenActive) return null;
  const asked = performance.now();
  const { audio, samples, shift } = await (player ??= load());
  if (performance.now() - asked > LATE_MS) return null;
  const [begins = 0, seconds = 0, loud = 0] = clips[clip];
  const source = audio.createBufferSource();
  source.buffer = samples;
  source.playbackRate.value = rate;
  const gain = audio.createGain();
  gain.gain.value = loud * volume;
  source.connect(gain).connect(audio.destination);
  source.start(audio.currentTime + after, begins + shift, seconds);
  return source;
}

function play(clip: Clip, volume: number, after = 0, rate = 1): Promise<AudioBufferSourceNode | null> {
  return start(clip, volume, after, rate).catch(() => {
    player = null; // the next sound tries to load again
    return null;
  });
}

/** Play a sound; the signals of a round are for a whole room, at full volume. */
export function sound(name: Sound | RoundSound): void {
  for (const [clip, after] of SOUNDS[name]) {
    const volume = OF_TILES.includes(clip) ? settings.tileVolume : settings.signalVolume;
    void play(clip, name.startsWith("round_") ? 1 : volume / 100, after);
  }
}

/** A clip of a sequence: after how many milliseconds it begins, how loud, and how many semitones higher. */
export interface Hit {
  clip: Clip;
  after: number;
  loud?: number;
  steps?: number;
}

/** Play clips as signals, one after another; the answer stops them. */
export function sequence(hits: readonly Hit[]): () => void {
  const playing = hits.map(({ clip, after, loud = 1, steps = 0 }) =>
    play(clip, (loud * settings.signalVolume) / 100, after / 1000, 2 ** (steps / 12)),
  );
  return () => playing.forEach((found) => void found.then((source) => source?.stop()));
}

export function say(word: CryWord, seat: Seat): void {
  void play(`say_${word}`, settings.voiceVolume / 100, 0, VOICES[seat]);
}
