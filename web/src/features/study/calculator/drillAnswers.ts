// Values of real hands, so that wrong answers are plausible
const USUAL = [
  1000, 1300, 1500, 1600, 2000, 2300, 2600, 2900, 3200, 3900, 4500, 5200, 5800, 6400, 7700, 8000, 9600, 11600, 12000,
  16000, 18000, 24000, 32000, 36000, 48000, 64000, 96000,
];
const CHOICES = 4;

/** The correct points and three similar values, in ascending order and determined by the seed. */
export function choicesFor(points: number, seed: number): number[] {
  const near = USUAL.filter((value) => value !== points).sort(
    (a, b) => Math.abs(Math.log(a / Math.max(points, 1))) - Math.abs(Math.log(b / Math.max(points, 1))),
  );
  const skip = Math.abs(seed) % 3;
  const others = near
    .slice(0, CHOICES + 1)
    .filter((_, i) => i !== skip + 1)
    .slice(0, CHOICES - 1);
  return [points, ...others].sort((a, b) => a - b);
}
