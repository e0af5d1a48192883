// What is heard of an event: its sound, and the call that a player speaks.
import { settings } from "../lib/settings.svelte";
import type { GameEvent } from "./events";
import { say, sound } from "./sound";
import { cryOf, soundOf } from "./speech";

/** `scenes`: whether wins have scenes, which sound by themselves. */
export function playSounds(event: GameEvent, me: number | null, scenes = false): void {
  if (!settings.sound) return;
  const name = soundOf(event, me);
  if (name && !(scenes && name === "win")) sound(name);
  const cry = cryOf(event);
  if (cry) say(cry.word, cry.seat);
}
