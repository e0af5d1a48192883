import { beforeEach, expect, test, vi } from "vitest";
import { settings } from "$data/deviceSettings.svelte";
import clips from "./sounds/clips.json";
import { say, sequence, sound } from "./sound";

const SHIFT = 0.05; // seconds of silence added by the decoder
const RATE = 1000;
const started: { start: number; seconds: number; volume: number; rate: number; after: number }[] = [];
const stopped = vi.fn();

class FakeAudio {
  currentTime = 10;
  destination = {};
  decodeAudioData(): Promise<unknown> {
    const first = (clips.discard[0] ?? 0) + SHIFT;
    const samples = Array.from({ length: RATE }, (_, i) => (i >= Math.round(first * RATE) ? 0.5 : 0.001));
    return Promise.resolve({ sampleRate: RATE, getChannelData: () => samples });
  }
  createGain(): unknown {
    return { gain: { value: 1 }, connect: () => undefined };
  }
  createBufferSource(): unknown {
    const source = {
      playbackRate: { value: 1 },
      gain: { gain: { value: 1 } },
      connect: (gain: { gain: { value: number } }) => (source.gain = gain),
      start: (at: number, start: number, seconds: number) => {
        const [volume, rate] = [source.gain.gain.value, source.playbackRate.value];
        started.push({ start, seconds, volume, rate, after: at - 10 });
      },
      stop: stopped,
    };
    return source;
  }
}

beforeEach(() => {
  vi.stubGlobal("AudioContext", FakeAudio);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("")));
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: true } });
  Object.assign(settings, { tileVolume: 50, signalVolume: 100, voiceVolume: 80 });
  started.length = 0;
});

test("a sound plays its part of the file at the volume of its kind", async () => {
  sound("discard");
  await vi.waitFor(() => expect(started).toHaveLength(1));
  const [start = 0, seconds, loud = 0] = clips.discard;
  expect(started[0]).toMatchObject({ seconds, volume: 0.5 * loud, after: 0 });
  expect(started[0]?.start).toBeCloseTo(start + SHIFT, 2);
});

test("each seat has its own voice", async () => {
  for (const seat of [0, 1, 2, 3]) say("ron", seat);
  await vi.waitFor(() => expect(started).toHaveLength(4));
  expect(new Set(started.map(({ rate }) => rate)).size).toBe(4);
});

test("nothing plays at volume 0 or before the first tap", async () => {
  settings.tileVolume = 0;
  sound("discard");
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: false } });
  sound("win");
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: true } });
  sound("round_end"); // for a whole room, whatever the volume
  await vi.waitFor(() => expect(started.map(({ after }) => Math.round(after))).toEqual([0, 1, 2]));
  expect(started.every(({ volume }) => volume === clips.gong[2])).toBe(true);
});

test("a sequence can be stopped", async () => {
  const stop = sequence([
    { clip: "drum", after: 0 },
    { clip: "tone", after: 500, steps: 12 },
  ]);
  await vi.waitFor(() => expect(started).toHaveLength(2));
  expect(started[1]).toMatchObject({ after: 0.5, rate: 2 });
  stop();
  await vi.waitFor(() => expect(stopped).toHaveBeenCalledTimes(2));
});
