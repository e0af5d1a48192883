// The requests of one event's desk. Names, fields and answers come from the schema.
import type * as wire from "../generated/wire";
import { send, type Answer } from "../net/requests";

/** Everything that can be asked of one event. */
export function deskApi(event: string) {
  const path = { event };
  return {
    info: () => send("GET /api/events/{event}", { path }),
    change: (body: wire.ChangeEvent) => send("PATCH /api/events/{event}", { path, body }),
    status: (body: wire.StatusBody) => send("POST /api/events/{event}/status", { path, body }),
    addStaff: (body: wire.StaffBody) => send("POST /api/events/{event}/staff", { path, body }),
    removeStaff: (person: string) => send("DELETE /api/events/{event}/staff/{person}", { path: { event, person } }),
    entries: () => send("GET /api/events/{event}/entries", { path }),
    addEntries: (entries: wire.ListedEntry[]) => send("POST /api/events/{event}/entries/list", { path, body: { entries } }),
    changeEntry: (entry: string, body: wire.EntryPatch) => send("PATCH /api/events/{event}/entries/{entry}", { path: { event, entry }, body }),
    merge: (entry: string, body: wire.MergeBody) => send("POST /api/events/{event}/entries/{entry}/merge", { path: { event, entry }, body }),
    erase: (entry: string, confirm: string | null) => send("POST /api/events/{event}/entries/{entry}/erase", { path: { event, entry }, body: { confirm } }),
    names: () => send("GET /api/events/{event}/names", { path }),
    games: (query: { stage?: string | null; entry?: string | null; before?: number | null; unfinished?: boolean }) =>
      send("GET /api/events/{event}/games", { path, query }),
    game: (game: string) => send("GET /api/events/{event}/games/{game}", { path: { event, game } }),
    versions: (game: string) => send("GET /api/events/{event}/games/{game}/versions", { path: { event, game } }),
    startGame: (body: wire.StartRecorded) => send("POST /api/events/{event}/games", { path, body }),
    enterHand: (game: string, body: wire.HandBody) => send("POST /api/events/{event}/games/{game}/hands", { path: { event, game }, body }),
    confirm: (game: string, head: string) =>
      send("POST /api/events/{event}/games/{game}/confirm", { path: { event, game }, body: { head, everybody: true } }),
    gameStatus: (game: string, body: wire.GameStatusBody) => send("POST /api/events/{event}/games/{game}/status", { path: { event, game }, body }),
    points: (game: string, body: wire.PointsBody) => send("POST /api/events/{event}/games/{game}/points", { path: { event, game }, body }),
    calls: () => send("GET /api/events/{event}/calls", { path }),
    answer: (number: number, answer: string) => send("POST /api/events/{event}/calls/{number}/close", { path: { event, number }, body: { answer } }),
    doubts: () => send("GET /api/events/{event}/doubts", { path }),
    clear: (number: number, answer: string) => send("POST /api/events/{event}/doubts/{number}/clear", { path: { event, number }, body: { answer } }),
    penalties: () => send("GET /api/events/{event}/penalties", { path }),
    penalise: (body: wire.PenaltyBody) => send("POST /api/events/{event}/penalties", { path, body }),
    takeBack: (number: number, why: string) => send("POST /api/events/{event}/penalties/{number}/cancel", { path: { event, number }, body: { why } }),
    log: (before: string | null) => send("GET /api/events/{event}/log", { path, query: { before } }),
    previewLog: (text: string, site: string | null) => send("POST /api/events/{event}/logs/preview", { path, body: { text, site } }),
    enterLog: (body: wire.LogBody) => send("POST /api/events/{event}/logs", { path, body }),
    webhook: () => send("GET /api/events/{event}/webhook", { path }),
    setWebhook: (body: wire.SetWebhook) => send("PUT /api/events/{event}/webhook", { path, body }),
    testWebhook: () => send("POST /api/events/{event}/webhook/test", { path }),
    removeWebhook: (version: string) => send("DELETE /api/events/{event}/webhook", { path, query: { version } }),
    rounds: () => send("GET /api/events/{event}/rounds", { path }),
    invite: () => send("GET /api/events/{event}/invite", { path, query: {} }),
  };
}
export type DeskApi = ReturnType<typeof deskApi>;

/** Requests about no event yet. */
export const openings = {
  templates: () => send("GET /api/events/templates", {}),
  open: (body: wire.CreateEvent): Promise<Answer<"POST /api/events">> => send("POST /api/events", { body }),
  import: (body: wire.ImportEvent) => send("POST /api/events/import", { body }),
};

/** The picture of a link of the event as a QR code. */
export function qrAddress(event: string, query: { page?: "events" | "record" | "screen"; game?: string; table?: string; code?: string } = {}): string {
  return `/api/events/${encodeURIComponent(event)}/qr.svg?${new URLSearchParams(query)}`;
}
