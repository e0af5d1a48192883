// A hand as entered by people: the JSON described in `docs/club.md`.
import type { EnteredHand, EnteredWin } from "$generated/wire";

export type { EnteredFoul as Foul, EnteredHand as Hand, EnteredWin as Win } from "$generated/wire";
export type End = EnteredHand["end"];
/** The value of a win: han and fu, a limit, or a number of yakuman. */
export type Worth = Pick<EnteredWin, "han" | "fu" | "limit" | "yakuman">;
