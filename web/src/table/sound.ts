// Sounds and spoken calls, computed in the browser: nothing is loaded, and no recording needs a licence.
import { settings } from "../lib/settings.svelte";
import type { Sound } from "./speech";
import type { CryWord, Seat } from "./state";
import { speakWord } from "./voice";

/** Signals of a round, for a whole room: longer and louder. */
export type RoundSound = "round_start" | "round_soon" | "round_end";

let context: AudioContext | null = null;

/** One tone or knock. */
export interface Part {
  /** Seconds from now. */
  after: number;
  seconds: number;
  hertz: number;
  loud: number;
  /** Whether to play a burst of noise around the frequency instead of a tone. */
  knock?: boolean;
}

const GONG = { seconds: 2.4, hertz: 392, loud: 0.5 };

/** A tile laid on a cloth: the click of its edge, its body, and the table below. */
function laid(after: number): readonly Part[] {
  return [
    { after, seconds: 0.018, hertz: 4200, loud: 0.3, knock: true },
    { after: after + 0.002, seconds: 0.06, hertz: 1900, loud: 0.42, knock: true },
    { after: after + 0.004, seconds: 0.08, hertz: 420, loud: 0.4, knock: true },
  ];
}

const PARTS: Record<Sound | RoundSound, readonly Part[]> = {
  round_start: [{ ...GONG, after: 0 }, { ...GONG, after: 0.02, hertz: 588 }],
  round_soon: [0, 0.5].map((after) => ({ after, seconds: 0.6, hertz: 784, loud: 0.4 })),
  round_end: [0, 1, 2].flatMap((after) => [{ ...GONG, after }, { ...GONG, after: after + 0.02, hertz: 588 }]),
  draw: [{ after: 0, seconds: 0.03, hertz: 3100, loud: 0.12, knock: true }],
  discard: laid(0),
  call: [...laid(0), ...laid(0.06), ...laid(0.11)],
  riichi: [
    ...laid(0),
    { after: 0.05, seconds: 0.35, hertz: 784, loud: 0.12 },
    { after: 0.17, seconds: 0.45, hertz: 1046, loud: 0.12 },
  ],
  win: [
    { after: 0, seconds: 0.5, hertz: 659, loud: 0.14 },
    { after: 0.13, seconds: 0.5, hertz: 784, loud: 0.14 },
    { after: 0.26, seconds: 0.8, hertz: 1046, loud: 0.14 },
  ],
  turn: [{ after: 0, seconds: 0.16, hertz: 880, loud: 0.08 }],
  end: [
    { after: 0, seconds: 0.6, hertz: 523, loud: 0.12 },
    { after: 0.18, seconds: 0.9, hertz: 784, loud: 0.12 },
  ],
};

function source(audio: AudioContext, part: Part): AudioScheduledSourceNode {
  if (!part.knock) {
    const tone = audio.createOscillator();
    tone.type = "triangle";
    tone.frequency.value = part.hertz;
    return tone;
  }
  const noise = audio.createBufferSource();
  const buffer = audio.createBuffer(1, audio.sampleRate * part.seconds, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  noise.buffer = buffer;
  return noise;
}

function play(audio: AudioContext, part: Part, volume: number): AudioScheduledSourceNode {
  const start = audio.currentTime + part.after;
  const sound = source(audio, part);
  const loud = audio.createGain();
  loud.gain.setValueAtTime(part.loud * volume, start);
  loud.gain.exponentialRampToValueAtTime(0.0001, start + part.seconds);
  const filter = audio.createBiquadFilter();
  filter.type = part.knock ? "bandpass" : "lowpass";
  filter.frequency.value = part.knock ? part.hertz : 4000;
  sound.connect(filter).connect(loud).connect(audio.destination);
  sound.start(start);
  sound.stop(start + part.seconds);
  return sound;
}

/** How loud a part is, from 0 to 1; the signals of a round are for a whole room. */
function volumeOf(name: Sound | RoundSound, part: Part): number {
  if (name.startsWith("round_")) return 1;
  return (part.knock ? settings.tileVolume : settings.signalVolume) / 100;
}

/** Play a sound; browsers allow it only after the first touch. */
export function sound(name: Sound | RoundSound): void {
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  for (const part of PARTS[name]) {
    const volume = volumeOf(name, part);
    if (volume > 0) play(context, part, volume);
  }
}

/** Play parts as signals, one after another; the answer stops those that are still to come. */
export function sequence(parts: readonly Part[]): () => void {
  const volume = settings.signalVolume / 100;
  if (!navigator.userActivation?.hasBeenActive || volume <= 0) return () => undefined;
  const audio = (context ??= new AudioContext());
  const playing = parts.map((part) => play(audio, part, volume));
  return () => playing.forEach((one) => one.stop());
}

/** Say a call in the voice of a seat. */
export function say(word: CryWord, seat: Seat): void {
  const volume = settings.voiceVolume / 100;
  if (!navigator.userActivation?.hasBeenActive || volume <= 0) return;
  context ??= new AudioContext();
  const samples = speakWord(word, seat, context.sampleRate);
  const spoken = context.createBufferSource();
  spoken.buffer = context.createBuffer(1, samples.length, context.sampleRate);
  spoken.buffer.copyToChannel(samples, 0);
  const loud = context.createGain();
  loud.gain.value = volume * 0.5;
  spoken.connect(loud).connect(context.destination);
  spoken.start();
}
