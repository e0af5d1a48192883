// Points that hands can earn, so that a wrong answer looks plausible
const USUAL = [
  1000, 1300, 1500, 1600, 2000, 2300, 2600, 2900, 3200, 3900, 4500, 5200, 5800, 6400, 7700, 8000, 9600, 11600, 12000,
  16000, 18000, 24000, 32000, 36000, 48000, 64000, 96000,
];
const OFFERED = 4;

/** The right points and three near ones in ascending order; the same seed gives the same answers. */
export function choicesFor(points: number, seed: number): number[] {
  const near = USUAL.filter((value) => value !== points).sort(
    (a, b) => Math.abs(Math.log(a / Math.max(points, 1))) - Math.abs(Math.log(b / Math.max(points, 1))),
  );
  const skip = Math.abs(seed) % 3;
  const others = near
    .slice(0, OFFERED + 1)
    .filter((_, i) => i !== skip + 1)
    .slice(0, OFFERED - 1);
  return [points, ...others].sort((a, b) => a - b);
}
