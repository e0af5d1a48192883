// The audible side of an event: a sentence for screen readers, a sound, and the spoken call.
import { settings } from "$data/deviceSettings.svelte";
import { cryOf, type GameEvent } from "$domain/game/reducer";
import type { TableState } from "$domain/game/tableState";
import { roundName } from "$domain/game/roundName";
import { nameOf, namesOf, tilesOf } from "$domain/tiles/notation";
import { listed, maybe, number, signed, t } from "$domain/words.svelte";
import { say, sound, type Sound } from "$ui/sound";

/** The sentence for an event; empty if it is not announced. */
function spoken(event: GameEvent, names: readonly string[], me: number | null): string {
  const mine = "seat" in event && event.seat === me;
  const player = "seat" in event ? (names[event.seat] ?? "") : "";
  switch (event.type) {
    case "hand_started":
      return t("say.hand_started", {
        round: roundName(event.number, event.scores.length),
        honba: event.honba,
        tile: nameOf(event.indicator),
      });
    case "drew":
      return mine && event.tile ? t("say.drew", { tile: nameOf(event.tile) }) : "";
    case "discarded": {
      const values = { player, tile: nameOf(event.tile) };
      if (event.riichi) return t(event.riichi === "open" ? "say.open_riichi" : "say.riichi", values);
      return mine ? "" : t("say.discarded", values);
    }
    case "called":
      return t("say.called", {
        player,
        call: t(`meld.${event.meld.type}`, { tiles: namesOf(tilesOf(event.meld.tiles)) }),
      });
    case "kan_declared":
      return t("say.called", {
        player,
        call: t(`meld.${event.meld.type}`, { tiles: event.tile == null ? t("table.face_down") : nameOf(event.tile) }),
      });
    case "kita_declared":
      return t("say.called", { player, call: t("call.kita") });
    case "dora_turned":
      return t("say.dora", { tile: nameOf(event.indicator) });
    case "won":
      return t(event.source == null ? "say.tsumo" : "say.ron", {
        player,
        tile: nameOf(event.tile),
        points: number(event.score.points),
      });
    case "hand_drawn":
      return t(`draw.${event.kind}`);
    case "points_moved":
      return listed(event.deltas.map((delta, seat) => `${names[seat] ?? ""} ${signed(delta)}`));
    case "fouled":
      return t("say.fouled", {
        player,
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

const MAX_LINES = 6;
const MAX_COURSE = 30;

/** The latest sentences, for a live region. */
export class SpokenLog {
  lines = $state.raw<readonly { id: number; text: string }[]>([]);
  /** Newest first, without ordinary draws and discards. */
  course = $state.raw<readonly { id: number; text: string }[]>([]);
  private count = 0;

  /** Add an event and return its sentence. */
  add(event: GameEvent, { table, seat }: TableState): string {
    const names = (table?.seats ?? []).map((info) => info?.name ?? "");
    const text = spoken(event, names, seat);
    if (!text) return text;
    const line = { id: this.count++, text };
    this.lines = [...this.lines, line].slice(-MAX_LINES);
    if (event.type !== "drew" && !(event.type === "discarded" && !event.riichi))
      this.course = [line, ...this.course].slice(0, MAX_COURSE);
    return text;
  }
}

const SOUNDS: Partial<Record<GameEvent["type"], Sound>> = {
  drew: "draw",
  discarded: "discard",
  called: "call",
  kan_declared: "call",
  kita_declared: "call",
  won: "win",
  game_ended: "end",
};

/** Play the sounds of an event. `scenes`: whether wins have scenes, which play their own sounds. */
export function playSounds(event: GameEvent, me: number | null, scenes = false): void {
  if (!settings.sound) return;
  const name = event.type === "discarded" && event.riichi ? "riichi" : SOUNDS[event.type];
  const silent = (event.type === "drew" && event.seat !== me) || (event.type === "won" && scenes);
  if (name && !silent) sound(name);
  const cry = cryOf(event);
  if (cry) say(cry.word, cry.seat);
}
