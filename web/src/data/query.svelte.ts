// Something that the server is asked for: what it is, whether it is still coming, and why it could not be loaded.
// Own code because an event's answers carry revisions: news of a revision that is here already loads nothing.
import { Refused } from "./requests";
import { showError } from "./notices.svelte";

/** `stale`: what is shown may be old, the last load failed; `failed` and `offline`: there is nothing to show. */
export type QueryState = "loading" | "ready" | "stale" | "failed" | "offline" | "hidden";

type Get<Value> = (signal: AbortSignal) => Promise<Value>;

interface Options<Value> {
  /** The revision that a value belongs to, so that news of a revision loads it only if it is older. */
  revision?: (value: Value) => number;
  /** The page shows the state and the problem itself. */
  quiet?: boolean;
}

const HIDDEN = "standings_hidden";

/**
 * A query of a component: it loads at once and whenever something changes that `get` reads before its first await,
 * and is cancelled with the component.
 */
export function query<Value>(get: Get<Value>, options: Options<Value> = {}): Query<Value> {
  const made = new Query(get, options);
  $effect(() => {
    void made.load();
    return () => made.cancel();
  });
  return made;
}

/** Wait while somebody still types; what is asked anew in the meantime goes no further. */
export function pause(signal: AbortSignal, ms = 120): Promise<void> {
  return new Promise((done, stop) => {
    window.setTimeout(() => (signal.aborted ? stop(new DOMException("", "AbortError")) : done()), ms);
  });
}

export class Query<Value> {
  value = $state.raw<Value | null>(null);
  /** What it was before it was loaded again. */
  before = $state.raw<Value | null>(null);
  state = $state<QueryState>("loading");
  /** Why the last load failed, in the server's words. */
  problem = $state("");
  /** Whether the server knows nothing at this address. */
  missing = $state(false);
  private latest = new AbortController();
  private running: Promise<void> | null = null;
  private newest = 0; // the newest revision that the server has named
  private waiting = false; // news waits for a load that runs

  constructor(
    private readonly get: Get<Value>,
    private readonly options: Options<Value> = {},
  ) {}

  /** Load now; an earlier load that still runs is cancelled. `get`: how, if not as always. */
  load(get: Get<Value> = this.get): Promise<void> {
    this.latest.abort();
    this.latest = new AbortController();
    const mine = this.run(this.latest.signal, get).finally(() => {
      if (this.running === mine) this.running = null;
    });
    this.running = mine;
    return mine;
  }

  /** The server names a revision: load it, unless it is here. News during a load causes one more only if that was too early. */
  async reach(revision: number): Promise<void> {
    this.newest = Math.max(this.newest, revision);
    if (this.waiting) return;
    this.waiting = true;
    while (this.running) await this.running;
    this.waiting = false;
    if (this.behind()) await this.load();
  }

  /** Load what a change of one's own has changed; a load that news has begun is enough if it brings what the news named. */
  async changed(): Promise<void> {
    if (this.running && this.behind()) await this.running;
    else return this.load();
    if (this.behind()) await (this.running ?? this.load());
  }

  /** Take a value that came as the answer to something else. */
  put(value: Value): void {
    this.cancel(); // what is on its way is older
    this.take(value);
  }

  /** Drop what is on its way. */
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
    if (signal.aborted) await this.running; // what was asked for here comes with the later one
  }

  private fail(error: unknown): void {
    const code = error instanceof Refused ? error.code : "";
    this.problem = error instanceof Error ? error.message : String(error);
    this.missing = error instanceof Refused && error.status === 404;
    if (code === HIDDEN) {
      this.value = null; // hidden since the page was loaded; the event that is loaded now says so in its place
      this.state = "hidden";
      return;
    }
    this.state = this.value !== null ? "stale" : code === "offline" ? "offline" : "failed";
    if (!this.options.quiet && !(this.missing && this.value === null)) showError(error);
  }
}
