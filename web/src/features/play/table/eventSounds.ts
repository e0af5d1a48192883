// What is heard of an event: its sound, and the call that a player speaks.
import { settings } from "$data/deviceSettings.svelte";
import type { GameEvent } from "$domain/game/events";
import { say, sound, type Sound } from "$ui/sound";
import type { CryWord } from "$domain/game/tableState";

/** `scenes`: whether wins have scenes, which sound by themselves. */
export function playSounds(event: GameEvent, me: number | null, scenes = false): void {
  if (!settings.sound) return;
  const name = soundOf(event, me);
  if (name && !(scenes && name === "win")) sound(name);
  const cry = cryOf(event);
  if (cry) say(cry.word, cry.seat);
}

function soundOf(event: GameEvent, me: number | null): Sound | null {
  switch (event.type) {
    case "drew":
      return event.seat === me ? "draw" : null;
    case "discarded":
      return event.riichi ? "riichi" : "discard";
    case "called":
    case "kan_declared":
    case "kita_declared":
      return "call";
    case "won":
      return "win";
    case "game_ended":
      return "end";
    default:
      return null;
  }
}

/** The call that a seat says aloud with an event. */
export function cryOf(event: GameEvent): { word: CryWord; seat: number } | null {
  switch (event.type) {
    case "discarded":
      return event.riichi ? { word: event.riichi === "open" ? "open_riichi" : "riichi", seat: event.seat } : null;
    case "called":
      return {
        word: event.meld.type === "chi" || event.meld.type === "pon" ? event.meld.type : "kan",
        seat: event.seat,
      };
    case "kan_declared":
      return { word: "kan", seat: event.seat };
    case "kita_declared":
      return { word: "kita", seat: event.seat };
    case "won":
      return { word: event.source == null ? "tsumo" : "ron", seat: event.seat };
    default:
      return null;
  }
}
