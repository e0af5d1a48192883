// A server query: its value, its loading state and its error. No library does this because an event's responses carry
// revisions: news of a revision that is already loaded must not cause a request.
import { Refused } from "./requests";
import { showError } from "./notices.svelte";

/** `stale`: the last load failed and the value is an older one; `failed` and `offline`: there is no value. */
export type QueryState = "loading" | "ready" | "stale" | "failed" | "offline" | "hidden";

type Get<Value> = (signal: AbortSignal) => Promise<Value>;

interface Options<Value> {
  /** The revision of a value, so that news of a revision reloads only older values. */
  revision?: (value: Value) => number;
  /** The page shows errors itself. */
  quiet?: boolean;
}

const HIDDEN = "standings_hidden";

/**
 * Create a component's query. It loads at once and whenever a dependency changes that `get` reads before its first
 * await; it is cancelled when the component is destroyed.
 */
export function query<Value>(get: Get<Value>, options: Options<Value> = {}): Query<Value> {
  const created = new Query(get, options);
  $effect(() => {
    void created.load();
    return () => created.cancel();
  });
  return created;
}

/** Wait for a pause in typing; rejects with an `AbortError` if a later request has replaced this one. */
export function debounce(signal: AbortSignal, ms = 120): Promise<void> {
  return new Promise((done, stop) => {
    window.setTimeout(() => (signal.aborted ? stop(new DOMException("", "AbortError")) : done()), ms);
  });
}

export class Query<Value> {
  value = $state.raw<Value | null>(null);
  /** The previous value. */
  before = $state.raw<Value | null>(null);
  state = $state<QueryState>("loading");
  /** The error message of the last load; empty if it succeeded. */
  problem = $state("");
  /** Whether the server answered 404. */
  missing = $state(false);
  private latest = new AbortController();
  private running: Promise<void> | null = null;
  private newest = 0; // the newest revision that the server has announced
  private waiting = false; // whether `catchUp` waits for a running load

  constructor(
    private readonly get: Get<Value>,
    private readonly options: Options<Value> = {},
  ) {}

  /** Load now, cancelling a load in progress. `get` replaces the query's own getter for this load. */
  load(get: Get<Value> = this.get): Promise<void> {
    this.latest.abort();
    this.latest = new AbortController();
    const mine = this.run(this.latest.signal, get).finally(() => {
      if (this.running === mine) this.running = null;
    });
    this.running = mine;
    return mine;
  }

  /** Load an announced revision unless it is loaded. News during a load causes another one only if that load returns less. */
  async catchUp(revision: number): Promise<void> {
    this.newest = Math.max(this.newest, revision);
    if (this.waiting) return;
    this.waiting = true;
    while (this.running) await this.running;
    this.waiting = false;
    if (this.behind()) await this.load();
  }

  /** Reload after the user's own change. A load already started by news is enough if it returns the announced revision. */
  async changed(): Promise<void> {
    if (this.running && this.behind()) await this.running;
    else return this.load();
    if (this.behind()) await (this.running ?? this.load());
  }

  /** Set a value from the response to another request. */
  put(value: Value): void {
    this.cancel(); // a load in progress returns an older value
    this.take(value);
  }

  /** Cancel a load in progress. */
  cancel(): void {
    this.latest.abort();
    this.running = null;
  }

  private behind(): boolean {
    return this.value === null || (this.options.revision?.(this.value) ?? Infinity) < this.newest;
  }

  private take(value: Value): void {
    this.before = this.value;
    this.value = value;
    [this.state, this.problem, this.missing] = ["ready", "", false];
  }

  private async run(signal: AbortSignal, get: Get<Value>): Promise<void> {
    try {
      const value = await get(signal);
      if (!signal.aborted) this.take(value);
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
    if (signal.aborted) await this.running; // the later load has the answer
  }

  private fail(error: unknown): void {
    const code = error instanceof Refused ? error.code : "";
    this.problem = error instanceof Error ? error.message : String(error);
    this.missing = error instanceof Refused && error.status === 404;
    if (code === HIDDEN) {
      this.value = null; // hidden since the page was loaded; the page shows that instead
      this.state = "hidden";
      return;
    }
    this.state = this.value !== null ? "stale" : code === "offline" ? "offline" : "failed";
    if (!this.options.quiet && !(this.missing && this.value === null)) showError(error);
  }
}
