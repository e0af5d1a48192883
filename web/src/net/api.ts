// The server's HTTP interface, one function for each address. Names, fields and answers come from the schema.
import type * as wire from "../generated/wire";
import type { BotLevel } from "../lib/level";
import type { Language } from "../lib/words.svelte";
import { send, sender, type Answer } from "./requests";

export { Refused } from "./requests";

type From = "games" | "uploads";

export const api = {
  me: () => send("GET /api/me", {}),
  guest: sender("POST /api/guest"),
  register: sender("POST /api/register"),
  login: sender("POST /api/login"),
  enter: (token: string) => send("POST /api/enter", { body: { token } }),
  link: () => send("POST /api/link", { body: {} }),
  logout: () => send("POST /api/logout", {}),
  patchMe: sender("PATCH /api/me"),
  changePassword: sender("POST /api/password"),
  eraseMe: sender("POST /api/me/erase"),
  sessions: () => send("GET /api/sessions", {}),
  endSession: (session: string) => send("DELETE /api/sessions/{session}", { path: { session } }),
  endOtherSessions: () => send("DELETE /api/sessions", {}),
  push: () => send("GET /api/me/push", {}),
  beginPush: sender("PUT /api/me/push"),
  endPush: () => send("DELETE /api/me/push", {}),
  numbers: (rules: string | null) => send("GET /api/me/numbers", { query: { rules } }),
  showNumbers: (on: boolean, reviews: boolean) => send("PUT /api/me/numbers/shown", { body: { on, reviews } }),
  numbersOf: (person_id: string, rules: string | null) =>
    send("GET /api/people/{person_id}/numbers", { path: { person_id }, query: { rules } }),
  disk: () => send("GET /api/disk", {}),
  tables: () => send("GET /api/tables", {}),
  createTable: sender("POST /api/tables"),
  anywhere: sender("POST /api/tables/anywhere"),
  table: (table_id: string) => send("GET /api/tables/{table_id}", { path: { table_id } }),
  invite: (table_id: string) => send("GET /api/tables/{table_id}/invite", { path: { table_id } }),
  join: (table_id: string, seat: number | null) =>
    send("POST /api/tables/{table_id}/join", { path: { table_id }, body: { seat } }),
  leave: (table_id: string) => send("POST /api/tables/{table_id}/leave", { path: { table_id } }),
  removePerson: (table_id: string, person_id: string) =>
    send("DELETE /api/tables/{table_id}/people/{person_id}", { path: { table_id, person_id } }),
  addBot: (table_id: string, seat: number, level: BotLevel | null) =>
    send("POST /api/tables/{table_id}/bots", { path: { table_id }, body: { seat, level } }),
  removeBot: (table_id: string, seat: number) =>
    send("DELETE /api/tables/{table_id}/bots/{seat}", { path: { table_id, seat } }),
  start: (table_id: string, level: BotLevel | null = null) =>
    send("POST /api/tables/{table_id}/start", { path: { table_id }, query: { level } }),
  close: (table_id: string) => send("DELETE /api/tables/{table_id}", { path: { table_id } }),
  games: (mine: boolean, before: string | null = null) => send("GET /api/games", { query: { mine, before } }),
  uploads: (before: string | null = null) => send("GET /api/uploads", { query: { before } }),
  replay: (from: From, id: string): Promise<wire.Replay> =>
    from === "games"
      ? send("GET /api/games/{game_id}/replay", { path: { game_id: id } })
      : send("GET /api/uploads/{upload_id}/replay", { path: { upload_id: id } }),
  moment: (from: From, id: string, step: number): Promise<wire.ReplayMoment> =>
    from === "games"
      ? send("GET /api/games/{game_id}/replay/{step}", { path: { game_id: id, step } })
      : send("GET /api/uploads/{upload_id}/replay/{step}", { path: { upload_id: id, step } }),
  review: (from: From, id: string, seat: number): Promise<wire.GameReview> =>
    from === "games"
      ? send("GET /api/games/{game_id}/review", { path: { game_id: id }, query: { seat } })
      : send("GET /api/uploads/{upload_id}/review", { path: { upload_id: id }, query: { seat } }),
  whatIf: (from: From, id: string, step: number, seat: number): Promise<wire.WhatIfTable> =>
    from === "games"
      ? send("POST /api/games/{game_id}/what-if", { path: { game_id: id }, body: { step, seat } })
      : send("POST /api/uploads/{upload_id}/what-if", { path: { upload_id: id }, body: { step, seat } }),
  upload: sender("POST /api/uploads"),
  explain: sender("POST /api/explain"),
  waits: sender("POST /api/waits"),
  discards: sender("POST /api/discards"),
  firstHand: sender("POST /api/first-hand"),
  drill: (rules: string, seed: number) => send("GET /api/drill", { query: { rules, seed } }),
  rulesList: () => send("GET /api/rules", {}),
  rulesOptions: () => send("GET /api/rules/options", {}),
  rules: (name: string): Promise<Answer<"GET /api/rules/{name}">> => send("GET /api/rules/{name}", { path: { name } }),
  inviteToRules: (name: string) => send("GET /api/rules/{name}/invite", { path: { name } }),
  deleteRules: (name: string) => send("DELETE /api/rules/{name}", { path: { name } }),
  yaku: (name: string) => send("GET /api/rules/{name}/yaku", { path: { name } }),
  diff: (name: string, other: string) =>
    send("GET /api/rules/{name}/diff", { path: { name }, query: { with: other } }),
  terms: (language: Language, tables: string) =>
    send("GET /api/terms/{language}", { path: { language }, query: { tables } }),
  checkRules: (toml: string) => send("POST /api/rules/check", { body: { toml } }),
  lab: () => send("GET /api/lab", {}),
  askAboutRules: sender("POST /api/lab/rules"),
  askAboutHand: sender("POST /api/lab/hand"),
  askAboutMoment: sender("POST /api/lab/moment"),
  labQuestion: (question: string) => send("GET /api/lab/questions/{question}", { path: { question } }),
  stopQuestion: (question: string) => send("DELETE /api/lab/questions/{question}", { path: { question } }),
  saveRules: (toml: string) => send("POST /api/rules", { body: { toml } }),
};
