// A replay comes from a game that was played here or from an uploaded record: the same requests at two addresses.
import { learnYaku } from "$domain/ownYakuNames.svelte";
import type { GameReview, Replay, ReplayMoment, WhatIfTable } from "$generated/wire";
import { send } from "$data/requests";

export interface Source {
  kind: "games" | "uploads";
  id: string;
}

export async function replayOf({ kind, id }: Source): Promise<Replay> {
  const game = await (kind === "games"
    ? send("GET /api/games/{game_id}/replay", { path: { game_id: id } })
    : send("GET /api/uploads/{upload_id}/replay", { path: { upload_id: id } }));
  learnYaku(game.own_yaku);
  return game;
}

export function momentOf({ kind, id }: Source, step: number): Promise<ReplayMoment> {
  return kind === "games"
    ? send("GET /api/games/{game_id}/replay/{step}", { path: { game_id: id, step } })
    : send("GET /api/uploads/{upload_id}/replay/{step}", { path: { upload_id: id, step } });
}

export function reviewOf({ kind, id }: Source, seat: number): Promise<GameReview> {
  return kind === "games"
    ? send("GET /api/games/{game_id}/review", { path: { game_id: id }, query: { seat } })
    : send("GET /api/uploads/{upload_id}/review", { path: { upload_id: id }, query: { seat } });
}

export function whatIf({ kind, id }: Source, step: number, seat: number): Promise<WhatIfTable> {
  return kind === "games"
    ? send("POST /api/games/{game_id}/what-if", { path: { game_id: id }, body: { step, seat } })
    : send("POST /api/uploads/{upload_id}/what-if", { path: { upload_id: id }, body: { step, seat } });
}
