// What a table shows or lets hear after its first discard: one file, loaded in the background once a hand has begun.
export { default as Call } from "../moments/Call.svelte";
export { default as Ending } from "../moments/Ending.svelte";
export { default as Wins } from "../moments/Wins.svelte";
export { default as Menu } from "./Menu.svelte";
export { default as Outcome } from "./Outcome.svelte";
export { default as Result } from "./Result.svelte";
export { playSounds } from "./eventSounds";
