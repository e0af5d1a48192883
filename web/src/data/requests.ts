// Sends requests with exactly the fields of the API's schema.
import type { ErrorBody, paths } from "$generated/wire";
import { noteReached } from "./serverReach.svelte";
import { language, t } from "$domain/words.svelte";

/** A refused request, with the server's message. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field = "",
    readonly status = 0,
    /** The whole response body, for refusals with more details. */
    readonly answer: unknown = null,
  ) {
    super(message);
  }
}

/** Return the error of a response. The path of a bad field means nothing to users and is removed from the message. */
export function refusalOf(body: unknown, status: number): Refused {
  const error = (body as Partial<ErrorBody> | null)?.error;
  const prefix = `${error?.field ?? ""}: `;
  const message =
    error?.code === "bad_request" && error.message.startsWith(prefix)
      ? error.message.slice(prefix.length)
      : error?.message;
  return new Refused(
    error?.code ?? "server",
    message ? message.charAt(0).toUpperCase() + message.slice(1) : t("error.server"),
    error?.field,
    status,
    body,
  );
}

const SMALL = 4096; // bytes; a browser allows 64 KiB of keepalive requests in total

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

/** The names of requests with a JSON response, such as `POST /api/login`. */
export type Name = { [Path in keyof paths]: NamesAt<Path> }[keyof paths];
type Operation<Of extends Name> = Of extends `${infer Method} ${infer Path extends keyof paths}`
  ? paths[Path][Lowercase<Method> & keyof paths[Path]]
  : never;
export type Answer<Of extends Name> = Operation<Of> extends Answered<infer Content> ? Content : never;

export type Sent<Of extends Name> = SentIn<Operation<Of>>;
type SentIn<Of> = (Of extends { parameters: { path: infer Path } } ? { path: Path } : unknown) &
  (Of extends { parameters: { query: object } } ? { query: QueryOf<Of> } : { query?: QueryOf<Of> }) &
  (Of extends { requestBody: Json<infer Body> } ? { body: Body } : unknown);
/** `address` adds the language to every request, so calls never pass it. */
type QueryOf<Of> = Of extends { parameters: { query?: infer Query extends object } } ? Omit<Query, "lang"> : never;

export interface Parts {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
}

function address(path: string, { path: named = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(named[field] ?? ""));
  const entries = Object.entries({ ...query, lang: language() }).filter(([, value]) => value != null);
  return `${filled}?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

async function fetched(name: string, parts: Parts, signal?: AbortSignal): Promise<Response> {
  const [method = "GET", path = ""] = name.split(" ");
  const options: RequestInit = { method, credentials: "same-origin", ...(signal && { signal }) };
  if (method !== "GET") {
    options.headers = { "content-type": "application/json", once: "1" }; // the server ignores duplicates from a double click or a retry
    options.body = JSON.stringify(parts.body ?? {});
    options.keepalive = options.body.length < SMALL; // a sign-out succeeds even if its page is closed at once
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

/** Like `send`, for a name and parts that were type-checked as a pair earlier. */
export async function answerTo(name: string, parts: Parts, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetched(name, parts, signal);
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return body;
  throw refusalOf(body, answer.status);
}

/** Send a request and return the response; throws `Refused` with the server's message. */
export async function send<Of extends Name>(name: Of, given: Sent<Of>, signal?: AbortSignal): Promise<Answer<Of>> {
  return (await answerTo(name, given as Parts, signal)) as Answer<Of>;
}
