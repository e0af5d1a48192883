// Waiting for a ranked table: what the server says of it, again and again, and saying that one is there.
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
const FRESH_MS = 60_000; // a tab that comes back later waits no more

interface Wanted {
  wish: Wish;
  daily: boolean;
}

let here: Waiting | null = null; // it goes on behind other pages of the site

export function waits(): Waiting {
  here ??= new Waiting();
  here.shown = true;
  hush();
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

/** Say no more that one goes on waiting. */
function hush(): void {
  for (const { id } of notices.filter(({ text }) => text === t("ranked.goes_on"))) dismiss(id);
}

class Waiting {
  page = $state.raw<RankedPage | null>(null);
  /** When the page came, by the clock of `performance`. */
  at = $state(0);
  shown = false;
  readonly first: Promise<void>;
  /** The same as `page`, which a component that goes reads as it was before. */
  #known: RankedPage | null = null;
  #wanted = wantedBefore();
  #rang = false;
  #timer = 0;

  constructor() {
    this.first = this.#look();
    document.addEventListener("visibilitychange", this.#seen);
  }

  /** The page is left: whoever waits goes on waiting, and is told so. */
  leave(): void {
    this.shown = false;
    if (this.#known?.mine && !this.#known.table)
      notify(t("ranked.goes_on"), { label: t("ranked.title"), act: () => go("/ranked") });
    else this.#close();
  }

  #close(): void {
    here = null;
    hush();
    sessionStorage.removeItem(WAITS);
    window.clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#seen);
  }

  async begin(wish: Wish, daily = false): Promise<void> {
    storeWish(wish);
    const page = await send("PUT /api/ranked", { body: bodyOf(wish, daily) });
    this.#wanted = { wish, daily };
    this.#came(page);
  }

  async stop(): Promise<void> {
    this.#wanted = null;
    this.#came(await send("DELETE /api/ranked", {}));
  }

  async remind(on: boolean): Promise<void> {
    await send("PUT /api/ranked/reminder", { body: { on } });
    await this.#look();
  }

  readonly #seen = (): void => {
    if (!document.hidden) void this.#look();
  };

  #came(page: RankedPage): void {
    const waited = this.#known?.mine ?? this.#wanted;
    if (page.held_s > 0 || page.table) this.#wanted = null;
    this.page = this.#known = page;
    this.at = performance.now();
    if (this.#wanted) sessionStorage.setItem(WAITS, JSON.stringify({ ...this.#wanted, at: Date.now() }));
    else sessionStorage.removeItem(WAITS);
    if (page.table && waited) go(`/t/${page.table}`);
    if (page.table) hush();
    if (!this.shown && !page.mine && !this.#wanted) this.#close();
    this.#plan(page);
  }

  #plan(page: RankedPage): void {
    window.clearTimeout(this.#timer);
    if (here !== this) return;
    const called = page.mine?.called;
    this.#timer = window.setTimeout(() => void this.#look(), called ? CALLED_MS : page.mine ? WAITING_MS : LOOKING_MS);
    if (!called) this.#rang = false;
    else if (!this.#rang) {
      this.#rang = true;
      if (settings.sound) sound("call");
    }
  }

  async #look(): Promise<void> {
    if (!this.shown && !person()) return this.#close(); // signed out
    try {
      const page = await send("GET /api/ranked", { query: { hidden: document.hidden } });
      const called = page.mine?.called;
      // whoever has the page before them is there
      if (called && !called.here && !document.hidden) this.#came(await send("POST /api/ranked/here", {}));
      else if (!page.mine && !page.table && this.#wanted && page.held_s === 0) {
        const { wish, daily } = this.#wanted; // the server has started anew, or nothing was heard of this page
        this.#came(await send("PUT /api/ranked", { body: bodyOf(wish, daily) }));
      } else this.#came(page);
    } catch (error) {
      if (!this.page) showError(error);
      if (here === this) this.#timer = window.setTimeout(() => void this.#look(), LOOKING_MS);
    }
  }
}
