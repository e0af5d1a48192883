// Sounds synthesised from noise and tones, so that nothing has to be loaded.
import type { Sound } from "./speech";

/** Signals of a round, for a whole room: longer and louder. */
export type RoundSound = "round_start" | "round_soon" | "round_end";

let context: AudioContext | null = null;

interface Part {
  after: number;
  seconds: number;
  hertz: number;
  loud: number;
  /** Whether to play a burst of noise around the frequency instead of a tone. */
  knock?: boolean;
}

const GONG = { seconds: 2.4, hertz: 392, loud: 0.5 };

const PARTS: Record<Sound | RoundSound, readonly Part[]> = {
  round_start: [{ ...GONG, after: 0 }, { ...GONG, after: 0.02, hertz: 588 }],
  round_soon: [0, 0.5].map((after) => ({ after, seconds: 0.6, hertz: 784, loud: 0.4 })),
  round_end: [0, 1, 2].flatMap((after) => [{ ...GONG, after }, { ...GONG, after: after + 0.02, hertz: 588 }]),
  draw: [{ after: 0, seconds: 0.04, hertz: 2400, loud: 0.1, knock: true }],
  discard: [{ after: 0, seconds: 0.07, hertz: 1500, loud: 0.35, knock: true }],
  call: [
    { after: 0, seconds: 0.08, hertz: 1100, loud: 0.4, knock: true },
    { after: 0.07, seconds: 0.08, hertz: 1300, loud: 0.35, knock: true },
  ],
  riichi: [
    { after: 0, seconds: 0.07, hertz: 1500, loud: 0.35, knock: true },
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

function play(audio: AudioContext, part: Part): void {
  const start = audio.currentTime + part.after;
  const sound = source(audio, part);
  const loud = audio.createGain();
  loud.gain.setValueAtTime(part.loud, start);
  loud.gain.exponentialRampToValueAtTime(0.0001, start + part.seconds);
  const filter = audio.createBiquadFilter();
  filter.type = part.knock ? "bandpass" : "lowpass";
  filter.frequency.value = part.knock ? part.hertz : 4000;
  sound.connect(filter).connect(loud).connect(audio.destination);
  sound.start(start);
  sound.stop(start + part.seconds);
}

/** Play a sound; browsers allow it only after the first touch. */
export function sound(name: Sound | RoundSound): void {
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  for (const part of PARTS[name]) play(context, part);
}
