// A hand as people enter it: the JSON of `docs/club.md`.
import type { EnteredHand, EnteredWin } from "$generated/wire";

export type { EnteredFoul as Foul, EnteredHand as Hand, EnteredWin as Win } from "$generated/wire";
export type End = EnteredHand["end"];
/** One of han and fu, a limit, or a number of yakuman. */
export type Worth = Pick<EnteredWin, "han" | "fu" | "limit" | "yakuman">;
