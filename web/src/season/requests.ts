// What the pages of seasons ask the server.
import type * as wire from "../generated/wire";
import { send } from "../net/requests";

export const seasons = {
  list: (before: string | null = null) => send("GET /api/seasons", { query: { before } }),
  templates: () => send("GET /api/seasons/templates", {}),
  open: (body: wire.CreateSeason) => send("POST /api/seasons", { body }),
  one: (season: string) => send("GET /api/seasons/{season}", { path: { season } }),
  change: (season: string, body: wire.SeasonPatch) => send("PATCH /api/seasons/{season}", { path: { season }, body }),
  ranking: (season: string) => send("GET /api/seasons/{season}/ranking", { path: { season } }),
  finalists: (season: string, part: string) => send("POST /api/seasons/{season}/finalists", { path: { season }, body: { part } }),
  /** The events that I organise, of which a season can be made. */
  organised: async () => (await send("GET /api/events", { query: {} })).mine.filter(({ role }) => role === "organiser"),
  standings: (event: string) => send("GET /api/events/{event}/standings", { path: { event } }),
};
