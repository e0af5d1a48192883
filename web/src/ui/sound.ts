// Sounds and spoken calls, computed in the browser: nothing is loaded, and no recording needs a licence.
import { settings } from "$data/deviceSettings.svelte";
import type { CryWord, Seat } from "$domain/game/tableState";
import { speakWord } from "./callVoice";

export type Sound = "draw" | "discard" | "call" | "riichi" | "win" | "turn" | "end";
/** Signals of a round, for a whole room: longer and louder. */
export type RoundSound = "round_start" | "round_soon" | "round_end";

const AHEAD_MS = 200; // how long before it is heard a part of a sequence is made
const WHISPER_S = 1; // of noise, from which each knock takes its own piece
const OFTEN: readonly CryWord[] = ["riichi", "ron", "tsumo"];

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;
const voices = new Map<string, AudioBuffer>();

/** What sounds, once the player has touched the page: browsers allow nothing before. */
function listening(): AudioContext | null {
  if (!navigator.userActivation?.hasBeenActive) return null;
  if (!context) {
    context = new AudioContext();
    prepare(
      context,
      OFTEN.flatMap((word) => [0, 1, 2, 3].map((seat) => ({ word, seat }))),
    );
  }
  return context;
}

/** Compute calls while nothing else happens: each takes as long as several frames of a slow phone. */
function prepare(audio: AudioContext, calls: readonly { word: CryWord; seat: Seat }[]): void {
  const [first, ...rest] = calls;
  if (!first) return;
  const next = (): void => {
    voiceOf(audio, first.word, first.seat);
    prepare(audio, rest);
  };
  if ("requestIdleCallback" in window) requestIdleCallback(next);
  else setTimeout(next, 1000);
}

function voiceOf(audio: AudioContext, word: CryWord, seat: Seat): AudioBuffer {
  const known = voices.get(`${word} ${seat}`);
  if (known) return known;
  const samples = speakWord(word, seat, audio.sampleRate);
  const spoken = audio.createBuffer(1, samples.length, audio.sampleRate);
  spoken.copyToChannel(samples, 0);
  voices.set(`${word} ${seat}`, spoken);
  return spoken;
}

function noiseOf(audio: AudioContext): AudioBuffer {
  if (noise) return noise;
  noise = audio.createBuffer(1, audio.sampleRate * WHISPER_S, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return noise;
}

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
  round_start: [
    { ...GONG, after: 0 },
    { ...GONG, after: 0.02, hertz: 588 },
  ],
  round_soon: [0, 0.5].map((after) => ({ after, seconds: 0.6, hertz: 784, loud: 0.4 })),
  round_end: [0, 1, 2].flatMap((after) => [
    { ...GONG, after },
    { ...GONG, after: after + 0.02, hertz: 588 },
  ]),
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

function source(audio: AudioContext, part: Part, start: number): AudioScheduledSourceNode {
  if (part.knock) {
    const knock = audio.createBufferSource();
    knock.buffer = noiseOf(audio);
    knock.start(start, Math.random() * (WHISPER_S - part.seconds));
    return knock;
  }
  const tone = audio.createOscillator();
  tone.type = "triangle";
  tone.frequency.value = part.hertz;
  tone.start(start);
  return tone;
}

function play(audio: AudioContext, part: Part, volume: number, from = audio.currentTime): AudioScheduledSourceNode {
  const start = from + part.after;
  const sound = source(audio, part, start);
  const loud = audio.createGain();
  loud.gain.setValueAtTime(part.loud * volume, start);
  loud.gain.exponentialRampToValueAtTime(0.0001, start + part.seconds);
  const filter = audio.createBiquadFilter();
  filter.type = part.knock ? "bandpass" : "lowpass";
  filter.frequency.value = part.knock ? part.hertz : 4000;
  sound.connect(filter).connect(loud).connect(audio.destination);
  sound.stop(start + part.seconds);
  return sound;
}

/** How loud a part is, from 0 to 1; the signals of a round are for a whole room. */
function volumeOf(name: Sound | RoundSound, part: Part): number {
  if (name.startsWith("round_")) return 1;
  return (part.knock ? settings.tileVolume : settings.signalVolume) / 100;
}

/** Play a sound. */
export function sound(name: Sound | RoundSound): void {
  const audio = listening();
  if (!audio) return;
  for (const part of PARTS[name]) {
    const volume = volumeOf(name, part);
    if (volume > 0) play(audio, part, volume);
  }
}

/** Play parts as signals, one after another; the answer stops those that are still to come. */
export function sequence(parts: readonly Part[]): () => void {
  const volume = settings.signalVolume / 100;
  const audio = listening();
  if (!audio || volume <= 0) return () => undefined;
  const begun = audio.currentTime;
  const playing: AudioScheduledSourceNode[] = [];
  const timers = parts.map((part) =>
    setTimeout(() => playing.push(play(audio, part, volume, begun)), 1000 * part.after - AHEAD_MS),
  );
  return () => {
    timers.forEach(clearTimeout);
    playing.forEach((node) => node.stop());
  };
}

/** Say a call in the voice of a seat. */
export function say(word: CryWord, seat: Seat): void {
  const volume = settings.voiceVolume / 100;
  const audio = listening();
  if (!audio || volume <= 0) return;
  const spoken = audio.createBufferSource();
  spoken.buffer = voiceOf(audio, word, seat);
  const loud = audio.createGain();
  loud.gain.value = volume * 0.5;
  spoken.connect(loud).connect(audio.destination);
  spoken.start();
}
