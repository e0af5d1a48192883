// The game in sentences for screen readers.
import { listed, maybe, number, signed, t } from "$domain/words.svelte";
import { nameOf, namesOf, tilesOf } from "$domain/tiles/notation";
import type { GameEvent } from "$domain/game/events";
import { roundName } from "$domain/game/roundName";

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
