// What each part of the page of rounds gets.
import type { StageRounds } from "$generated/wire";
import type { Desk } from "./desk.svelte";

export interface InRounds {
  desk: Desk;
  stagePath: { event: string; stage: string };
  /** Takes what the server answers. */
  take: (answer: StageRounds) => void;
}
