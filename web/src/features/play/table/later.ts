// What a table shows or lets hear after its first discard: one file, loaded in the background once a hand has begun.
export { default as CallScene } from "../scenes/CallScene.svelte";
export { default as GameEndScene } from "../scenes/GameEndScene.svelte";
export { default as WinScenes } from "../scenes/WinScenes.svelte";
export { default as Menu } from "./Menu.svelte";
export { default as HandResult } from "$ui/game/HandResult.svelte";
export { default as GameResult } from "./GameResult.svelte";
export { playSounds } from "./eventSounds";
