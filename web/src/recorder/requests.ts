// The requests of the recorder.
import type * as wire from "../generated/wire";
import { send } from "../net/requests";

const game = (event: string, id: string) => ({ path: { event, game: id } });

export const ask = {
  event: (event: string) => send("GET /api/events/{event}", { path: { event } }),
  entries: (event: string) => send("GET /api/events/{event}/entries", { path: { event } }),
  payments: (event: string) => send("GET /api/events/{event}/payments", { path: { event } }),
  games: (event: string, entry?: string) => send("GET /api/events/{event}/games", { path: { event }, query: { entry: entry ?? null } }),
  start: (event: string, body: wire.StartRecorded) => send("POST /api/events/{event}/games", { path: { event }, body }),
  game: (event: string, id: string) => send("GET /api/events/{event}/games/{game}", game(event, id)),
  versions: (event: string, id: string) => send("GET /api/events/{event}/games/{game}/versions", game(event, id)),
  enter: (event: string, id: string, body: wire.HandBody) => send("POST /api/events/{event}/games/{game}/hands", { ...game(event, id), body }),
  preview: (event: string, id: string, hands: wire.PreviewBody["hands"]) =>
    send("POST /api/events/{event}/games/{game}/preview", { ...game(event, id), body: { hands } }),
  mark: (event: string, id: string, body: wire.MarkBody) => send("POST /api/events/{event}/games/{game}/marks", { ...game(event, id), body }),
  confirm: (event: string, id: string, body: wire.ConfirmBody) => send("POST /api/events/{event}/games/{game}/confirm", { ...game(event, id), body }),
  call: (event: string, body: wire.CallBody) => send("POST /api/events/{event}/calls", { path: { event }, body }),
  invite: (event: string, id: string) => send("GET /api/events/{event}/invite", { path: { event }, query: { page: "record", game: id } }),
  cancel: (event: string, id: string, body: wire.GameStatusBody) => send("POST /api/events/{event}/games/{game}/status", { ...game(event, id), body }),
};

/** The picture of the link to a game's recorder. */
export function qrAddress(event: string, id: string): string {
  return `/api/events/${encodeURIComponent(event)}/qr.svg?${new URLSearchParams({ page: "record", game: id })}`;
}
