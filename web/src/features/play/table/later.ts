// What a table shows or lets hear after its first discard: one file, loaded in the background once a hand has begun.
export { default as Menu } from "./Menu.svelte";
export { default as GameResult } from "./GameResult.svelte";
export { playSounds } from "./eventSounds";
