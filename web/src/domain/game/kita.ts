// Norths that are set aside as dora, and the room that they take.
export const NORTH = "4z";
const STEP = 0.8; // how much of a tile the next one leaves free

/** The length of so many norths, in widths of a tile. */
export function kitaLong(count: number): number {
  return count ? 1 + STEP * (count - 1) : 0;
}
