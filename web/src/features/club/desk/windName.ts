// The winds of the seats in words.
import { WINDS } from "$domain/seats";
import { t } from "$domain/words.svelte";

/** The wind of a seat as the game began, 0 for East. */
export function windName(seat: number): string {
  return t(`tiles.winds.${WINDS[seat] ?? "east"}`);
}
