// What is heard of an event: its sentence for screen readers, its sound, and the call that a player speaks.
import { settings } from "$data/deviceSettings.svelte";
import { listed, maybe, number, signed, t } from "$domain/words.svelte";
import { nameOf, namesOf, tilesOf } from "$domain/tiles/notation";
import type { GameEvent } from "$domain/game/events";
import { roundName } from "$domain/game/roundName";
import type { CryWord } from "$domain/game/tableState";
import { say, sound, type Sound } from "$ui/sound";

type Names = readonly string[];

function who(names: Names, seat: number): string {
  return names[seat] ?? "";
}

/** One sentence for an event; empty if nothing is said. */
export function spoken(event: GameEvent, names: Names, me: number | null): string {
  switch (event.type) {
    case "hand_started":
      return t("say.hand_started", {
        round: roundName(event.number, event.scores.length),
        honba: event.honba,
        tile: nameOf(event.indicator),
      });
    case "drew":
      return event.seat === me && event.tile ? t("say.drew", { tile: nameOf(event.tile) }) : "";
    case "discarded": {
      const values = { player: who(names, event.seat), tile: nameOf(event.tile) };
      if (event.riichi) return t(event.riichi === "open" ? "say.open_riichi" : "say.riichi", values);
      return event.seat === me ? "" : t("say.discarded", values);
    }
    case "called":
      return t("say.called", {
        player: who(names, event.seat),
        call: t(`meld.${event.meld.type}`, { tiles: namesOf(tilesOf(event.meld.tiles)) }),
      });
    case "kan_declared":
      return t("say.called", {
        player: who(names, event.seat),
        call: t(`meld.${event.meld.type}`, { tiles: event.tile == null ? t("table.face_down") : nameOf(event.tile) }),
      });
    case "kita_declared":
      return t("say.called", { player: who(names, event.seat), call: t("call.kita") });
    case "dora_turned":
      return t("say.dora", { tile: nameOf(event.indicator) });
    case "won":
      return t(event.source == null ? "say.tsumo" : "say.ron", {
        player: who(names, event.seat),
        tile: nameOf(event.tile),
        points: number(Number(event.score["points"] ?? 0)),
      });
    case "hand_drawn":
      return t(`draw.${event.kind}`);
    case "points_moved":
      return listed(event.deltas.map((delta, seat) => `${who(names, seat)} ${signed(delta)}`));
    case "fouled":
      return t("say.fouled", {
        player: who(names, event.seat),
        foul: maybe(`options.fouls.${event.foul}.label`, event.foul),
        cost: maybe(`options.foul_cost.values.${event.cost}`, event.cost),
      });
    case "game_ended":
      return t("say.ended");
    case "game_started":
    case "riichi_accepted":
      return "";
    default:
      event satisfies never;
      return "";
  }
}

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
