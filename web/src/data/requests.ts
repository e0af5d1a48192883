// Sends a request of the schema, with exactly the fields that the schema has.
import type { ErrorBody, paths } from "$generated/wire";
import { noteReached } from "./serverReach.svelte";
import { language, t } from "$domain/words.svelte";

/** What the server refused, in its own words. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field = "",
    readonly status = 0,
    /** The whole answer, for refusals that say more. */
    readonly answer: unknown = null,
  ) {
    super(message);
  }
}

/** What an answer refuses. Where in the request a value stood tells people nothing: its name stays out of the sentence. */
export function refusalOf(body: unknown, status: number): Refused {
  const error = (body as Partial<ErrorBody> | null)?.error;
  const within = `${error?.field ?? ""}: `;
  const said =
    error?.code === "bad_request" && error.message.startsWith(within)
      ? error.message.slice(within.length)
      : error?.message;
  return new Refused(
    error?.code ?? "server",
    said ? said.charAt(0).toUpperCase() + said.slice(1) : t("error.server"),
    error?.field,
    status,
    body,
  );
}

const SMALL = 4096; // a browser keeps 64 KiB of requests alive

interface Json<Content> {
  content: { "application/json": Content };
}
interface Answered<Content = unknown> {
  responses: { 200: Json<Content> };
}
type NamesAt<Path extends keyof paths> = {
  [Method in keyof paths[Path]]-?: paths[Path][Method] extends Answered
    ? `${Uppercase<Method & string>} ${Path}`
    : never;
}[keyof paths[Path]];

/** The requests with a JSON answer, as `POST /api/login`. */
export type Name = { [Path in keyof paths]: NamesAt<Path> }[keyof paths];
type Operation<Of extends Name> = Of extends `${infer Method} ${infer Path extends keyof paths}`
  ? paths[Path][Lowercase<Method> & keyof paths[Path]]
  : never;
export type Answer<Of extends Name> = Operation<Of> extends Answered<infer Content> ? Content : never;

export type Sent<Of extends Name> = SentIn<Operation<Of>>;
type SentIn<Of> = (Of extends { parameters: { path: infer Path } } ? { path: Path } : unknown) &
  (Of extends { parameters: { query: object } } ? { query: QueryOf<Of> } : { query?: QueryOf<Of> }) &
  (Of extends { requestBody: Json<infer Body> } ? { body: Body } : unknown);
/** The client sends its language with every request: no call names it. */
type QueryOf<Of> = Of extends { parameters: { query?: infer Query extends object } } ? Omit<Query, "lang"> : never;

export interface Parts {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
}

function address(path: string, { path: named = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(named[field] ?? ""));
  const asked = Object.entries({ ...query, lang: language() }).filter(([, value]) => value != null);
  return `${filled}?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}`;
}

async function fetched(name: string, parts: Parts, signal?: AbortSignal): Promise<Response> {
  const [method = "GET", path = ""] = name.split(" ");
  const options: RequestInit = { method, credentials: "same-origin", ...(signal && { signal }) };
  if (method !== "GET") {
    options.headers = { "content-type": "application/json", once: "1" }; // a double click or a lost answer adds nothing twice
    options.body = JSON.stringify(parts.body ?? {});
    options.keepalive = options.body.length < SMALL; // a log-out counts even if its page is closed at once
  }
  try {
    const answer = await fetch(address(path, parts), options);
    noteReached(true);
    return answer;
  } catch (error) {
    if (signal?.aborted) throw error;
    noteReached(false);
    throw new Refused("offline", t("error.offline"));
  }
}

/** The answer to a request whose name and parts fit each other, as those of `send` do. */
export async function answerTo(name: string, parts: Parts, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetched(name, parts, signal);
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return body;
  throw refusalOf(body, answer.status);
}

/** The answer to a request; throws `Refused` with the server's message if there is none. */
export async function send<Of extends Name>(name: Of, given: Sent<Of>, signal?: AbortSignal): Promise<Answer<Of>> {
  return (await answerTo(name, given as Parts, signal)) as Answer<Of>;
}
