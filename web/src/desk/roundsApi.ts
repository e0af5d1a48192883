// The requests about the rounds of one stage.
import type * as wire from "../generated/wire";
import { send } from "../net/requests";

/** Everything that can be asked of the rounds of a stage. */
export function roundsApi(event: string, stage: string) {
  const path = { event, stage };
  const round = (number: number) => ({ event, stage, number });
  const table = (number: number, at: number) => ({ event, stage, number, table: at });
  return {
    get: () => send("GET /api/events/{event}/rounds/{stage}", { path }),
    settings: (body: wire.SetRounds) => send("PUT /api/events/{event}/rounds/{stage}/settings", { path, body }),
    make: (body: wire.MakeSeating) => send("POST /api/events/{event}/rounds/{stage}/seating", { path, body }),
    stop: () => send("POST /api/events/{event}/rounds/{stage}/seating/cancel", { path }),
    importCsv: (csv: string, first: number) => send("POST /api/events/{event}/rounds/{stage}/seating/import", { path, body: { csv, first } }),
    discard: (numbers: number[]) => send("POST /api/events/{event}/rounds/{stage}/seating/discard", { path, body: { numbers } }),
    publish: (numbers: number[], start: boolean) => send("POST /api/events/{event}/rounds/{stage}/publish", { path, body: { numbers, start } }),
    start: (number: number) => send("POST /api/events/{event}/rounds/{stage}/{number}/start", { path: round(number) }),
    timer: (number: number, body: wire.TimerBody) => send("POST /api/events/{event}/rounds/{stage}/{number}/timer", { path: round(number), body }),
    finish: (number: number, body: wire.FinishRound) => send("POST /api/events/{event}/rounds/{stage}/{number}/finish", { path: round(number), body }),
    reseat: (number: number, body: wire.ChangeSeats) => send("POST /api/events/{event}/rounds/{stage}/{number}/seats", { path: round(number), body }),
    absence: (body: wire.AbsenceBody) => send("POST /api/events/{event}/rounds/{stage}/absences", { path, body }),
    replace: (body: wire.ReplaceBody) => send("POST /api/events/{event}/rounds/{stage}/replace", { path, body }),
    startTable: (number: number, at: number) => send("POST /api/events/{event}/rounds/{stage}/{number}/tables/{table}/start", { path: table(number, at) }),
    finishTable: (number: number, at: number, body: wire.FinishTable) =>
      send("POST /api/events/{event}/rounds/{stage}/{number}/tables/{table}/finish", { path: table(number, at), body }),
  };
}
export type RoundsApi = ReturnType<typeof roundsApi>;
