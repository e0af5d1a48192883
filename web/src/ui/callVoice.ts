// The calls as a voice says them, computed from a pulse and three resonances: no recording, so no licence is needed.
import type { CryWord } from "$domain/game/tableState";

/** A stretch of sound: how long, the three resonances in hertz, how loud, and whether it is noise instead of voice. */
interface Sound {
  ms: number;
  formants: readonly [number, number, number];
  loud: number;
  noise: boolean;
}

const A = [780, 1250, 2550] as const;
const I = [300, 2250, 3000] as const;
const U = [350, 1250, 2350] as const;
const O = [480, 880, 2500] as const;
const SILENT = [500, 1500, 2500] as const;

function vowel(formants: Sound["formants"], ms: number): Sound {
  return { ms, formants, loud: 1, noise: false };
}

function burst(hertz: number, ms: number, loud: number): Sound {
  return { ms, formants: [hertz, hertz * 1.3, hertz * 1.7], loud, noise: true };
}

function nasal(ms: number): Sound {
  return { ms, formants: [260, 1300, 2400], loud: 0.5, noise: false };
}

const STOP: Sound = { ms: 35, formants: SILENT, loud: 0, noise: false };
const TAP: Sound = { ms: 26, formants: [330, 1500, 2400], loud: 0.45, noise: false };
const CH = burst(3200, 75, 0.35);
const RIICHI: readonly Sound[] = [TAP, vowel(I, 190), STOP, CH, vowel(I, 170)];

export const WORDS: Record<CryWord, readonly Sound[]> = {
  chi: [CH, vowel(I, 260)],
  pon: [STOP, burst(900, 14, 0.5), vowel(O, 170), nasal(150)],
  kan: [STOP, burst(1900, 26, 0.5), vowel(A, 180), nasal(150)],
  kita: [STOP, burst(2300, 26, 0.5), vowel(I, 110), STOP, burst(3000, 14, 0.4), vowel(A, 240)],
  riichi: RIICHI,
  open_riichi: [vowel(O, 110), vowel(O, 60), STOP, burst(950, 14, 0.5), vowel(U, 60), nasal(70), ...RIICHI],
  ron: [TAP, vowel(O, 240), nasal(190)],
  tsumo: [burst(4300, 85, 0.3), vowel(U, 80), nasal(75), vowel(O, 260)],
};

const PITCH = 165; // hertz at the beginning; it falls towards the end of a word
const FALL = 0.3;
const OPEN = 0.45; // how long of each pulse the voice is open
const LIPS = 0.95;
const GLIDE_MS = 28; // in which the resonances move from one sound to the next
const WIDTHS = [70, 100, 160] as const;
const EDGE_MS = 10; // in which a sound swells and fades
const STEP = 32; // samples between two changes of the resonances

/** Who speaks: every seat has a voice of its own. */
const VOICES = [
  { pitch: 1, size: 1 },
  { pitch: 1.32, size: 1.12 },
  { pitch: 0.8, size: 0.94 },
  { pitch: 1.15, size: 1.06 },
] as const;

/** One resonance, as a filter with two poles; its gain is one at zero hertz. */
class Resonance {
  private last = 0;
  private before = 0;
  private a = 1;
  private b = 0;
  private c = 0;

  tune(hertz: number, width: number, rate: number): void {
    this.c = -Math.exp((-2 * Math.PI * width) / rate);
    this.b = 2 * Math.exp((-Math.PI * width) / rate) * Math.cos((2 * Math.PI * Math.min(hertz, rate * 0.45)) / rate);
    this.a = 1 - this.b - this.c;
  }

  silence(): void {
    this.last = this.before = 0;
  }

  run(input: number): number {
    const output = this.a * input + this.b * this.last + this.c * this.before;
    this.before = this.last;
    this.last = output;
    return output;
  }
}

function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** How many samples a sound takes: the resonances change only at its borders. */
function lengthOf({ ms }: Sound, rate: number): number {
  return STEP * Math.round((ms * rate) / (1000 * STEP));
}

/** The sound at a sample, gliding from the one before. */
function soundAt(word: readonly Sound[], at: number, rate: number): Sound {
  let begins = 0;
  for (const [i, sound] of word.entries()) {
    const before = word[i - 1];
    if (at < begins + lengthOf(sound, rate) || i === word.length - 1) {
      const share = before ? Math.min(1, ((at - begins) * 1000) / (rate * GLIDE_MS)) : 1;
      if (!before || share >= 1 || before.noise || sound.noise) return sound;
      const [f, g] = [before.formants, sound.formants];
      return { ...sound, formants: [mix(f[0], g[0], share), mix(f[1], g[1], share), mix(f[2], g[2], share)] };
    }
    begins += lengthOf(sound, rate);
  }
  return STOP;
}

/** The samples of a word in a seat's voice, between -1 and 1. */
export function speakWord(
  word: CryWord,
  seat: number,
  rate: number,
  random: () => number = Math.random,
): Float32Array<ArrayBuffer> {
  const sounds = WORDS[word];
  const voice = VOICES[seat % VOICES.length] ?? VOICES[0];
  const samples = new Float32Array(sounds.reduce((sum, sound) => sum + lengthOf(sound, rate), 0));
  const filters = WIDTHS.map(() => new Resonance());
  let now = STOP;
  let phase = 0;
  let last = 0;
  for (let i = 0; i < samples.length; i++) {
    if (i % STEP === 0) {
      const before = now;
      now = soundAt(sounds, i, rate);
      if (before.noise !== now.noise || !before.loud) {
        filters.forEach((filter) => filter.silence()); // what rings of a hiss is louder than a vowel
        last = 0;
      }
      filters.forEach((filter, at) => filter.tune((now.formants[at] ?? 0) * voice.size, WIDTHS[at] ?? 100, rate));
    }
    const hertz = PITCH * voice.pitch * (1 - (FALL * i) / samples.length);
    phase = (phase + hertz / rate) % 1;
    const pulse = (phase < OPEN ? (phase / OPEN) ** 2 : 0) - OPEN / 3; // opens slowly and closes at once
    const input = now.noise ? random() * 2 - 1 : pulse;
    const heard = filters.reduce((sum, filter) => filter.run(sum), input);
    samples[i] = heard - LIPS * last; // high tones leave the lips better than low ones
    last = heard;
  }
  return smooth(balanced(samples, sounds, rate), rate);
}

/** Every sound as loud as it should be: the resonances make some many times louder than others. */
function balanced(
  samples: Float32Array<ArrayBuffer>,
  sounds: readonly Sound[],
  rate: number,
): Float32Array<ArrayBuffer> {
  const levelled = samples.slice();
  const edge = Math.round((rate * EDGE_MS) / 1000);
  let begins = 0;
  let before = 0;
  for (const sound of sounds) {
    const { loud } = sound;
    const part = levelled.subarray(begins, begins + lengthOf(sound, rate));
    const power = part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, part.length);
    const gain = loud / Math.sqrt(power + 1e-12);
    const rise = before > 0 ? edge / 2 : edge;
    part.forEach(
      (sample, i) =>
        (part[i] = sample * gain * Math.min(1, (i + 1) / rise, (part.length - i) / edge + (loud > 0.4 ? 0.4 : 0))),
    );
    begins += part.length;
    before = loud;
  }
  return levelled;
}

/** As loud as may be, without clicks at the ends. */
function smooth(samples: Float32Array<ArrayBuffer>, rate: number): Float32Array<ArrayBuffer> {
  const most = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 1e-6);
  const edge = Math.round(rate * 0.025);
  return samples.map(
    (sample, i) => (0.9 * sample * Math.min(1, i / (edge / 5), (samples.length - 1 - i) / edge)) / most,
  );
}
