// Sounds and spoken calls: clips from one file made by `research/sounds.py`, which is loaded with the first sound.
import { settings } from "$data/deviceSettings.svelte";
import type { CryWord, Seat } from "$domain/game/tableState";
import clips from "./sounds/clips.json";
import file from "./sounds/clips.mp3?url";

export type Sound = "draw" | "discard" | "call" | "riichi" | "win" | "turn" | "end";
/** Round signals for a whole room, longer and louder. */
export type RoundSound = "round_start" | "round_soon" | "round_end";
type Clip = keyof typeof clips;

const LATE_MS = 2000; // a sound that loads later is dropped, because its cause has passed
const AUDIBLE = 0.05;
const TILE_CLIPS: readonly Clip[] = ["draw", "discard", "call"];
const VOICES = [1, 1.18, 0.85, 1.08] as const; // playback rate, and thus pitch, of each seat's voice

/** The clips of each sound, with their delay in seconds. */
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
  /** Seconds by which all clips start late: decoders add different silence before an MP3. */
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

/** Play a clip after a delay in seconds, unless its volume is 0; browsers allow no sound before the first tap. */
async function start(clip: Clip, volume: number, after: number, rate: number): Promise<AudioBufferSourceNode | null> {
  if (volume <= 0 || !navigator.userActivation?.hasBeenActive) return null;
  const requested = performance.now();
  const { audio, samples, shift } = await (player ??= load());
  if (performance.now() - requested > LATE_MS) return null;
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
    player = null; // load again with the next sound
    return null;
  });
}

/** Play a sound; round signals are for a whole room and play at full volume. */
export function sound(name: Sound | RoundSound): void {
  for (const [clip, after] of SOUNDS[name]) {
    const volume = TILE_CLIPS.includes(clip) ? settings.tileVolume : settings.signalVolume;
    void play(clip, name.startsWith("round_") ? 1 : volume / 100, after);
  }
}

/** A clip in a sequence: `after` in milliseconds, `loud` as a factor, `steps` in semitones. */
export interface Hit {
  clip: Clip;
  after: number;
  loud?: number;
  steps?: number;
}

/** Play a sequence of clips as signals; returns a function that stops them. */
export function sequence(hits: readonly Hit[]): () => void {
  const playing = hits.map(({ clip, after, loud = 1, steps = 0 }) =>
    play(clip, (loud * settings.signalVolume) / 100, after / 1000, 2 ** (steps / 12)),
  );
  return () => playing.forEach((clip) => void clip.then((source) => source?.stop()));
}

export function say(word: CryWord, seat: Seat): void {
  void play(`say_${word}`, settings.voiceVolume / 100, 0, VOICES[seat]);
}
