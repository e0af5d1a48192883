"""Renders the client's sounds and spoken calls: ``python research/sounds.py``, after ``pip install lameenc``.

Writes all clips in sequence to ``clips.mp3``, and each clip's start, length in seconds and loudness to
``clips.json``. Everything is synthesised, so no recording needs a licence. The voice is a pulse train through
three resonances.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import lameenc  # type: ignore[import-not-found]
import numpy as np
from numpy.typing import NDArray

OUT: Final = Path(__file__).parents[1] / "web" / "src" / "ui" / "sounds"
RATE: Final = 22050
KILOBITS: Final = 32  # per second
GAP: Final = 0.08  # seconds of silence around each clip
PEAK: Final = 0.9

Samples = NDArray[np.float64]


def filtered(samples: Samples, b: Sequence[float], a: Sequence[float]) -> Samples:
    """Apply a two-pole filter; ``a`` omits the leading 1."""
    out = np.zeros(len(samples) + 2)
    padded = np.concatenate([np.zeros(2), samples])
    for i in range(2, len(padded)):
        out[i] = (
            b[0] * padded[i]
            + b[1] * padded[i - 1]
            + b[2] * padded[i - 2]
            - a[0] * out[i - 1]
            - a[1] * out[i - 2]
        )
    return out[2:]


# Tiles and signals


class Part(NamedTuple):
    """A tone, or a knock: a burst of noise around a frequency."""

    after: float
    seconds: float
    hertz: float
    loud: float
    knock: bool = False


def part_samples(part: Part, noise: np.random.Generator) -> Samples:
    """Render a part that fades from ``loud`` to silence."""
    time = np.arange(round(part.seconds * RATE)) / RATE
    if part.knock:
        turn = 2 * np.pi * part.hertz / RATE
        wide, peak = np.cos(turn), np.sin(turn) / 2
        b, a = (peak, 0, -peak), (-2 * wide, 1 - peak)
        sound = filtered(
            noise.uniform(-1, 1, len(time)), [x / (1 + peak) for x in b], [x / (1 + peak) for x in a]
        )
    else:  # a triangle wave without its highest harmonics
        odd = range(1, int(4000 / part.hertz) + 1, 2)
        signs = {k: (-1) ** (k // 2) * 8 / np.pi**2 / k**2 for k in odd}
        sound = sum((sign * np.sin(2 * np.pi * k * part.hertz * time) for k, sign in signs.items()), 0 * time)
    return sound * part.loud * (0.0001 / part.loud) ** (time / part.seconds)


def mixed(parts: Iterable[Part]) -> Samples:
    """Mix parts."""
    noise = np.random.default_rng(1)
    parts = list(parts)
    whole = np.zeros(round(RATE * max(part.after + part.seconds for part in parts)) + 1)
    for part in parts:
        begin, sound = round(part.after * RATE), part_samples(part, noise)
        whole[begin : begin + len(sound)] += sound
    return whole


def laid(after: float = 0) -> list[Part]:
    """Return the sound of a tile laid on cloth: the click of its edge, its body, and the table below."""
    return [
        Part(after, 0.018, 4200, 0.3, knock=True),
        Part(after + 0.002, 0.06, 1900, 0.42, knock=True),
        Part(after + 0.004, 0.08, 420, 0.4, knock=True),
    ]


SOUNDS: Final = {
    "discard": laid(),
    "call": [*laid(), *laid(0.06), *laid(0.11)],
    "draw": [Part(0, 0.03, 3100, 0.12, knock=True)],
    "turn": [Part(0, 0.16, 880, 0.08)],
    "riichi": [Part(0.05, 0.35, 784, 0.12), Part(0.17, 0.45, 1046, 0.12)],
    "win": [Part(0, 0.5, 659, 0.14), Part(0.13, 0.5, 784, 0.14), Part(0.26, 0.8, 1046, 0.14)],
    "end": [Part(0, 0.6, 523, 0.12), Part(0.18, 0.9, 784, 0.12)],
    "soon": [Part(0, 0.6, 784, 0.4)],
    # Sounds for results: a drum has a skin and a body; a strike is a knock with two tones
    "drum": [Part(0, 0.22, 160, 0.4, knock=True), Part(0, 0.5, 68, 0.4)],
    "strike": [Part(0, 0.05, 900, 0.3, knock=True), Part(0, 0.4, 349, 0.13), Part(0, 0.25, 698, 0.05)],
    "tone": [Part(0, 1.4, 349, 0.1)],
    "gong": [Part(0, 2.4, 392, 0.5), Part(0.02, 2.4, 588, 0.5)],
}

# Spoken calls


class Sound(NamedTuple):
    """A segment of a word: resonances in hertz, loudness, and whether it is noise instead of voice."""

    ms: float
    formants: tuple[float, float, float]
    loud: float = 1
    noise: bool = False


AH, EE, OO, OH = (780, 1250, 2550), (300, 2250, 3000), (350, 1250, 2350), (480, 880, 2500)


def burst(hertz: float, ms: float, loud: float) -> Sound:
    """Return a hiss or a plosive."""
    return Sound(ms, (hertz, hertz * 1.3, hertz * 1.7), loud, noise=True)


def nasal(ms: float) -> Sound:
    """Return an n or m."""
    return Sound(ms, (260, 1300, 2400), 0.5)


STOP: Final = Sound(35, (500, 1500, 2500), 0)
TAP: Final = Sound(26, (330, 1500, 2400), 0.45)
CH: Final = burst(3200, 75, 0.35)
RIICHI: Final = (TAP, Sound(190, EE), STOP, CH, Sound(170, EE))
OPEN: Final = (Sound(110, OH), Sound(60, OH), STOP, burst(950, 14, 0.5), Sound(60, OO), nasal(70))
WORDS: Final = {
    "say_chi": (CH, Sound(260, EE)),
    "say_pon": (STOP, burst(900, 14, 0.5), Sound(170, OH), nasal(150)),
    "say_kan": (STOP, burst(1900, 26, 0.5), Sound(180, AH), nasal(150)),
    "say_kita": (STOP, burst(2300, 26, 0.5), Sound(110, EE), STOP, burst(3000, 14, 0.4), Sound(240, AH)),
    "say_riichi": RIICHI,
    "say_open_riichi": (*OPEN, *RIICHI),
    "say_ron": (TAP, Sound(240, OH), nasal(190)),
    "say_tsumo": (burst(4300, 85, 0.3), Sound(80, OO), nasal(75), Sound(260, OH)),
}
PITCH: Final = 165  # pitch in hertz at the start of a word; it falls towards the end
FALL: Final = 0.3
MOUTH_OPEN: Final = 0.45  # share of each period in which the pulse is on
LIPS: Final = 0.95
GLIDE_MS: Final = 28  # transition of the resonances from one sound to the next
WIDTHS: Final = (70, 100, 160)
EDGE: Final = RATE // 100  # samples to fade a sound in and out
STEP: Final = 16  # samples between changes of the resonances


def spoken(word: Sequence[Sound]) -> Samples:
    """Render a word, with each sound normalised to its loudness."""
    lengths = [round(sound.ms * RATE / 1000 / STEP) * STEP for sound in word]
    total, noise, parts = sum(lengths), np.random.default_rng(2), []
    phase = last = 0.0
    memory = np.zeros((3, 2))
    for i, (sound, length) in enumerate(zip(word, lengths, strict=True)):
        before = word[i - 1] if i else sound
        glides = not (before.noise or sound.noise)
        if before.noise != sound.noise or not before.loud:
            memory[:], last = 0, 0.0  # the ringing of a hiss would be louder than a vowel
        part = np.zeros(length)
        for at in range(length):
            if at % STEP == 0:
                share = min(1.0, at * 1000 / RATE / GLIDE_MS) if glides else 1.0
                formants = [f + (g - f) * share for f, g in zip(before.formants, sound.formants, strict=True)]
                c = [-np.exp(-2 * np.pi * width / RATE) for width in WIDTHS]
                b = [
                    2 * np.sqrt(-low) * np.cos(2 * np.pi * min(hertz, 0.45 * RATE) / RATE)
                    for hertz, low in zip(formants, c, strict=True)
                ]
            done = (sum(lengths[:i]) + at) / total
            phase = (phase + PITCH * (1 - FALL * done) / RATE) % 1
            pulse = (phase / MOUTH_OPEN) ** 2 if phase < MOUTH_OPEN else 0.0
            sample = noise.uniform(-1, 1) if sound.noise else pulse - MOUTH_OPEN / 3
            for k in range(3):
                sample = (1 - b[k] - c[k]) * sample + b[k] * memory[k, 0] + c[k] * memory[k, 1]
                memory[k] = sample, memory[k, 0]
            part[at] = sample - LIPS * last  # lip radiation favours high frequencies
            last = sample
        level = sound.loud / np.sqrt(np.mean(part**2) + 1e-12)
        rise = np.arange(1, length + 1) / (EDGE / 2 if i and before.loud else EDGE)
        fall = np.arange(length, 0, -1) / EDGE + (0.4 if sound.loud > 0.4 else 0)
        parts.append(part * level * np.minimum(1, np.minimum(rise, fall)))
    whole = np.concatenate(parts)
    edge = RATE * 0.025
    ends = np.minimum(np.arange(total) / (edge / 5), np.arange(total)[::-1] / edge)
    return np.asarray(whole * np.minimum(1, ends))


def main() -> None:
    """Render all clips and write both files."""
    clips = {name: mixed(parts) for name, parts in SOUNDS.items()}
    loud = {name: float(np.abs(sound).max()) for name, sound in clips.items()}
    clips |= {name: spoken(word) for name, word in WORDS.items()}
    silence = np.zeros(round(GAP * RATE))
    listed, samples, at = {}, [silence], GAP
    for name, sound in clips.items():
        listed[name] = [round(at, 3), round(len(sound) / RATE, 3), round(loud.get(name, 0.45), 3)]
        samples += [PEAK * sound / np.abs(sound).max(), silence]
        at += len(sound) / RATE + GAP
    encoder = lameenc.Encoder()
    encoder.set_bit_rate(KILOBITS)
    encoder.set_in_sample_rate(RATE)
    encoder.set_channels(1)
    encoder.set_quality(2)
    pcm = np.rint(32767 * np.concatenate(samples)).astype("<i2").tobytes()
    (OUT / "clips.mp3").write_bytes(encoder.encode(pcm) + encoder.flush())
    lines = ",\n".join(f'  "{name}": {json.dumps(clip)}' for name, clip in listed.items())
    (OUT / "clips.json").write_text(f"{{\n{lines}\n}}\n", "utf-8")


if __name__ == "__main__":
    main()
