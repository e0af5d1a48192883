// Waiting for a ranked table: polls the server and confirms the player's presence.
import type { RankedPage } from "$generated/wire";
import { loadPerson, person } from "$data/person.svelte";
import { go } from "$ui/router.svelte";
import { settings } from "$data/deviceSettings.svelte";
import { t } from "$domain/words.svelte";
import { send } from "$data/requests";
import { sound } from "$ui/sound";
import { showError, dismiss, notices, notify } from "$data/notices.svelte";
import { WAITS } from "./waitKey";
import { bodyOf, storeWish, type Wish } from "./wish";

const CALLED_MS = 1000;
const WAITING_MS = 3000;
const LOOKING_MS = 8000;
const FRESH_MS = 60_000; // a tab reloaded later than this does not resume waiting

interface Wanted {
  wish: Wish;
  daily: boolean;
}

let here: Waiting | null = null; // continues on other pages of the site

export function waits(): Waiting {
  here ??= new Waiting();
  here.shown = true;
  dismissNotice();
  return here;
}

export async function resume(): Promise<void> {
  if (here || !wantedBefore() || !(await loadPerson()) || here) return;
  here = new Waiting();
  await here.first;
  if (here && !here.shown) here.leave();
}

function wantedBefore(): Wanted | null {
  try {
    const { at, ...wanted } = JSON.parse(sessionStorage.getItem(WAITS) ?? "{}") as Wanted & { at?: number };
    return at && Date.now() - at < FRESH_MS ? wanted : null;
  } catch {
    return null;
  }
}

/** Dismiss the notice that waiting continues. */
function dismissNotice(): void {
  for (const { id } of notices.filter(({ text }) => text === t("ranked.goes_on"))) dismiss(id);
}

class Waiting {
  page = $state.raw<RankedPage | null>(null);
  /** When the page arrived, by `performance.now()`. */
  at = $state(0);
  shown = false;
  readonly first: Promise<void>;
  /** Same as `page`; a component being destroyed would read an older value of the reactive one. */
  #known: RankedPage | null = null;
  #wanted = wantedBefore();
  #signalled = false;
  #timer = 0;

  constructor() {
    this.first = this.#poll();
    document.addEventListener("visibilitychange", this.#onVisible);
  }

  /** Called when the player leaves the page: waiting continues, with a notice. */
  leave(): void {
    this.shown = false;
    if (this.#known?.mine && !this.#known.table)
      notify(t("ranked.goes_on"), { label: t("ranked.title"), act: () => go("/ranked") });
    else this.#close();
  }

  #close(): void {
    here = null;
    dismissNotice();
    sessionStorage.removeItem(WAITS);
    window.clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#onVisible);
  }

  async begin(wish: Wish, daily = false): Promise<void> {
    storeWish(wish);
    const page = await send("PUT /api/ranked", { body: bodyOf(wish, daily) });
    this.#wanted = { wish, daily };
    this.#receive(page);
  }

  async stop(): Promise<void> {
    this.#wanted = null;
    this.#receive(await send("DELETE /api/ranked", {}));
  }

  async remind(on: boolean): Promise<void> {
    await send("PUT /api/ranked/reminder", { body: { on } });
    await this.#poll();
  }

  readonly #onVisible = (): void => {
    if (!document.hidden) void this.#poll();
  };

  #receive(page: RankedPage): void {
    const waited = this.#known?.mine ?? this.#wanted;
    if (page.held_s > 0 || page.table) this.#wanted = null;
    this.page = this.#known = page;
    this.at = performance.now();
    if (this.#wanted) sessionStorage.setItem(WAITS, JSON.stringify({ ...this.#wanted, at: Date.now() }));
    else sessionStorage.removeItem(WAITS);
    if (page.table && waited) go(`/t/${page.table}`);
    if (page.table) dismissNotice();
    if (!this.shown && !page.mine && !this.#wanted) this.#close();
    this.#plan(page);
  }

  #plan(page: RankedPage): void {
    window.clearTimeout(this.#timer);
    if (here !== this) return;
    const called = page.mine?.called;
    this.#timer = window.setTimeout(() => void this.#poll(), called ? CALLED_MS : page.mine ? WAITING_MS : LOOKING_MS);
    if (!called) this.#signalled = false;
    else if (!this.#signalled) {
      this.#signalled = true;
      if (settings.sound) sound("call");
    }
  }

  async #poll(): Promise<void> {
    if (!this.shown && !person()) return this.#close(); // signed out
    try {
      const page = await send("GET /api/ranked", { query: { hidden: document.hidden } });
      const called = page.mine?.called;
      // the page is visible, so the player is present
      if (called && !called.here && !document.hidden) this.#receive(await send("POST /api/ranked/here", {}));
      else if (!page.mine && !page.table && this.#wanted && page.held_s === 0) {
        const { wish, daily } = this.#wanted; // the server has restarted or dropped this page
        this.#receive(await send("PUT /api/ranked", { body: bodyOf(wish, daily) }));
      } else this.#receive(page);
    } catch (error) {
      if (!this.page) showError(error);
      if (here === this) this.#timer = window.setTimeout(() => void this.#poll(), LOOKING_MS);
    }
  }
}
