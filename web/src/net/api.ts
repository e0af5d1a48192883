// The server's HTTP interface, one function an address.
import type * as wire from "../generated/wire";
import { reached } from "../lib/reach.svelte";
import { language, t } from "../lib/words.svelte";

/** What the server refused, in its own words. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field = "",
    readonly status = 0,
  ) {
    super(message);
  }
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

async function call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const url = `/api/${path}${path.includes("?") ? "&" : "?"}lang=${language()}`;
  const options: RequestInit = { method, credentials: "same-origin" };
  if (method !== "GET") {
    options.headers = { "content-type": "application/json" };
    options.body = JSON.stringify(body ?? {});
  }
  let answer: Response;
  try {
    answer = await fetch(url, options);
    reached(true);
  } catch {
    reached(false);
    throw new Refused("offline", t("error.offline"));
  }
  const found: unknown = await answer.json().catch(() => null);
  if (answer.ok) return found as Answer;
  const error = (found as wire.ErrorBody | null)?.error;
  throw new Refused(error?.code ?? "server", error?.message ?? t("error.server"), error?.field, answer.status);
}

const get = <Answer>(path: string): Promise<Answer> => call("GET", path);
const post = <Answer>(path: string, body?: unknown): Promise<Answer> => call("POST", path, body);
const part = encodeURIComponent;

export interface Hand {
  hand: string;
  melds: wire.MeldWire[];
}

/** A request of the JSON-lines contract. */
export type ScoreRequest = Record<string, unknown>;

export const api = {
  me: () => get<wire.Me>("me"),
  guest: (name: string, chosen: wire.GuestBody["language"]) =>
    post<wire.Person>("guest", { name, language: chosen }),
  register: (body: wire.RegisterBody) => post<wire.Person>("register", body),
  login: (body: wire.LoginBody) => post<wire.Person>("login", body),
  enter: (token: string) => post<wire.Person>("enter", { token }),
  link: () => post<wire.Link>("link"),
  logout: () => post<wire.Done>("logout"),
  patchMe: (body: wire.PersonPatch) => call<wire.Person>("PATCH", "me", body),
  tables: () => get<wire.Lobby>("tables"),
  createTable: (body: wire.CreateTable) => post<wire.TableInfo>("tables", body),
  table: (id: string) => get<wire.TableInfo>(`tables/${part(id)}`),
  invite: (id: string) => get<wire.Invite>(`tables/${part(id)}/invite`),
  join: (id: string, seat: number | null) => post<wire.TableInfo>(`tables/${part(id)}/join`, { seat }),
  leave: (id: string) => post<wire.TableInfo>(`tables/${part(id)}/leave`),
  addBot: (id: string, seat: number) => post<wire.TableInfo>(`tables/${part(id)}/bots`, { seat }),
  removeBot: (id: string, seat: number) => call<wire.TableInfo>("DELETE", `tables/${part(id)}/bots/${seat}`),
  start: (id: string) => post<wire.TableInfo>(`tables/${part(id)}/start`),
  close: (id: string) => call<wire.Done>("DELETE", `tables/${part(id)}`),
  games: (mine: boolean, before = "") =>
    get<wire.Games>(`games?mine=${mine}${before && `&before=${part(before)}`}`),
  replay: (from: "games" | "uploads", id: string) => get<wire.Replay>(`${from}/${part(id)}/replay`),
  moment: (from: "games" | "uploads", id: string, step: number) =>
    get<wire.ReplayMoment>(`${from}/${part(id)}/replay/${step}`),
  upload: (text: string, name: string) => post<wire.Uploaded>("uploads", { text, name }),
  score: (request: ScoreRequest) => post<Record<string, unknown>>("score", request),
  explain: (request: ScoreRequest) => post<wire.Explained>("explain", request),
  waits: (hand: Hand) => post<wire.Waits>("waits", hand),
  discards: (hand: Hand) => post<wire.Discards>("discards", hand),
  drill: (rules: string, seed: number) => get<wire.Drill>(`drill?rules=${part(rules)}&seed=${seed}`),
  rulesList: () => get<wire.RulesList>("rules"),
  rulesOptions: () => get<Record<string, unknown>>("rules/options"),
  rules: (id: string) => get<wire.RulesPage>(`rules/${part(id)}`),
  inviteToRules: (id: string) => get<wire.Invite>(`rules/${part(id)}/invite`),
  deleteRules: (id: string) => call<wire.Done>("DELETE", `rules/${part(id)}`),
  diff: (id: string, other: string) => get<wire.Diff>(`rules/${part(id)}/diff?with=${part(other)}`),
  terms: (code: string, tables: string) => get<Record<string, unknown>>(`terms/${code}?tables=${part(tables)}`),
  checkRules: (toml: string) => post<wire.Checked>("rules/check", { toml }),
  saveRules: (toml: string) => post<wire.SavedRules>("rules", { toml }),
};
