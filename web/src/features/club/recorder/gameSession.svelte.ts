// A game at this phone: what the server has of it, what waits to be sent, and the hand that is being entered.
import { newId } from "$data/newId";
import { learnYaku } from "$domain/ownYakuNames.svelte";
import type { HandBody, PaymentsInfo, PreviewInfo, RecordedGameInfo } from "$generated/wire";
import { Refused, send } from "$data/requests";
import type { GameEnd } from "../desk/gameEnd";
import { EventLine } from "$data/eventLine.svelte";
import { jsonOf, type Hand } from "$domain/enteredHand";
import { EMPTY, handOf, type Draft } from "./handDraft";
import { flush, sending, store } from "./sending.svelte";
import { projected, type Projection, type Row } from "./projected";
import { refusalWords } from "./checks";
import { roundName } from "$domain/game/roundName";
import { t } from "$domain/words.svelte";
import { decided, following, rebased, unknownTo, without, type Decision, type Waiting } from "./queue";
import type { KeptEvent } from "./offlineStore";

/** The hand that is entered or changed. */
export interface Target {
  action: "add" | "insert" | "replace";
  place: number;
}

/** What a hand would come to. */
export interface Outlook {
  row: Row;
  /** Whether the game ends with it, at least if the dealer wants it. */
  over: boolean;
  optional: boolean;
  refused: string;
}

const PREVIEW_MS = 2500;
const NOTHING_YET = { head: "", hands: [] };

export class Session {
  kept = $state.raw<KeptEvent | null>(null);
  info = $state.raw<RecordedGameInfo | null>(null);
  waiting = $state.raw<Waiting[]>([]);
  draft = $state.raw<Draft>(EMPTY);
  target = $state.raw<Target | null>(null);
  /** Whether the last request reached the server. */
  online = $state(navigator.onLine);
  missing = $state("");
  /** Why the server refused to start the game, if it did. */
  unstarted = $state("");
  private aside: Draft = EMPTY;
  private stops: (() => void)[] = [];
  readonly table = $derived<PaymentsInfo | null>(wholeTable(this.kept));
  readonly projection = $derived<Projection | null>(this.projectedNow());

  constructor(
    readonly event: string,
    readonly game: string,
  ) {}

  private projectedNow(): Projection | null {
    if (!this.info || !this.table) return null;
    return projected(
      this.info,
      unknownTo(this.info, this.waiting).map(({ body }) => body),
      this.table,
    );
  }

  /** Show what is kept, then what the server has. */
  async open(): Promise<void> {
    const [kept, game, draft] = await Promise.all([
      store.event(this.event),
      store.game(this.game),
      store.draft(this.game),
    ]);
    this.kept = kept ?? null;
    learnYaku(kept?.info.own_yaku);
    this.info = game?.info ?? null;
    this.draft = { ...EMPTY, ...draft }; // kept by an older page, it lacks what is new
    await this.look();
    const line = new EventLine(this.event, () => void this.refresh());
    line.open();
    this.stops.push(
      sending((changed) => this.sent(changed)),
      () => line.close(),
    );
    await Promise.all([this.learn(), this.refresh()]);
  }

  close(): void {
    this.stops.forEach((stop) => stop());
  }

  /** Fetch the event and its payments, and keep them. */
  private async learn(): Promise<void> {
    this.kept = (await loadEvent(this.event).catch(() => null)) ?? this.kept;
  }

  /** Fetch the game as the server has it. */
  async refresh(): Promise<void> {
    try {
      const info = await send("GET /api/events/{event}/games/{game}", { path: { event: this.event, game: this.game } });
      await this.take(info);
    } catch (error) {
      this.online = !(error instanceof Refused && error.code === "offline");
      if (this.online && !this.waiting.length && !this.info) this.missing = error instanceof Error ? error.message : "";
    }
  }

  private async take(info: RecordedGameInfo): Promise<void> {
    this.online = true;
    if (this.info && info.revision < this.info.revision) return;
    this.info = info;
    await store.keepGame({ id: this.game, event: this.event, info });
  }

  private async sent(game: string): Promise<void> {
    if (game !== this.game) return;
    await this.refresh(); // first, so that a hand that was sent does not vanish in between
    await this.look();
  }

  /** Read again what this phone keeps of the game, after something was taken over. */
  async again(): Promise<void> {
    this.info ??= (await store.game(this.game))?.info ?? null;
    await this.look();
  }

  /** Read what waits for this game. */
  async look(): Promise<void> {
    this.waiting = await store.waiting(this.game);
    this.unstarted = (await store.starting()).find((starting) => starting.body.id === this.game)?.refused ?? "";
  }

  /** The hands as they would be with a hand in its place. */
  private with(hand: Hand): Hand[] {
    const hands = (this.projection?.rows ?? []).map((row) => row.hand);
    const { action, place } = this.target ?? { action: "add", place: hands.length };
    return hands.toSpliced(place, action === "replace" ? 1 : 0, hand);
  }

  get index(): number {
    return this.target?.place ?? this.projection?.rows.length ?? 0;
  }

  /** What the hand comes to, as this phone settles it. */
  estimated(hand: Hand): Outlook | null {
    if (!this.info || !this.table) return null;
    const { action, place } = this.target ?? { action: "add", place: undefined };
    const body = { id: "draft", action, place, hand: jsonOf(hand) };
    const waiting = unknownTo(this.info, this.waiting).map((queued) => queued.body);
    const { rows, over, optional, refused } = projected(this.info, [...waiting, body], this.table);
    const row = rows[this.index];
    if (!row) return null;
    const last = this.index === rows.length - 1;
    return { row, over: over && last, optional, refused: refused ? this.refusedWords(refused, rows) : "" };
  }

  /** Why a hand that waits cannot stand where it is; empty if all can. */
  get problem(): string {
    const { refused, rows } = this.projection ?? {};
    if (!refused || !rows || !this.info || !this.table) return "";
    const names = this.info.seats.map((seat) => seat.name);
    return `${roundName(rows[refused.at]?.number ?? 0, names.length)}: ${refusalWords(refused.refusal, names, this.table)}`;
  }

  /** Why the hand, or a later one after it, cannot be. */
  private refusedWords({ at, refusal }: NonNullable<Projection["refused"]>, rows: readonly Row[]): string {
    if (!this.info || !this.table) return "";
    const names = this.info.seats.map((seat) => seat.name);
    const said = refusalWords(refusal, names, this.table);
    return at > this.index
      ? t("recorder.refused.later", { hand: roundName(rows[at]?.number ?? 0, names.length), why: said })
      : said;
  }

  /** What the server says that the hand comes to; null if it does not answer. */
  async settled(hand: Hand, estimate: Outlook): Promise<Outlook | null> {
    try {
      const hands = this.with(hand).map(jsonOf);
      const slow = new Promise<null>((resolve) => window.setTimeout(() => resolve(null), PREVIEW_MS));
      const preview = await Promise.race([
        send("POST /api/events/{event}/games/{game}/preview", {
          path: { event: this.event, game: this.game },
          body: { hands },
        }),
        slow,
      ]);
      return preview && outlook(preview, estimate, this.index);
    } catch (error) {
      const away = !(error instanceof Refused) || error.code === "offline" || error.status >= 500;
      return away ? null : { ...estimate, refused: error.message };
    }
  }

  /** Change the hand that is being entered; it survives a reload. */
  change(changes: Partial<Draft>): void {
    this.draft = { ...this.draft, ...changes };
    if (!this.target) void store.keepDraft(this.game, $state.snapshot(this.draft) as Draft);
  }

  /** Begin to change an earlier hand, or to enter one before it. */
  aim(target: Target, draft: Draft): void {
    if (!this.target) this.aside = this.draft;
    this.target = target;
    this.draft = draft;
  }

  /** Go back to the hand that is played. */
  release(): void {
    this.target = null;
    this.draft = this.aside;
    this.aside = EMPTY;
  }

  /** Enter the hand: it is kept here first, then sent. */
  async enter(why = ""): Promise<void> {
    const hand = handOf(this.draft);
    if (!hand) return;
    const target = this.target;
    const body = { action: target?.action ?? "add", place: target?.place ?? null, hand: jsonOf(hand), why };
    if (target) this.release();
    else this.draft = EMPTY;
    await this.put(body, target === null);
  }

  async remove(index: number, why = ""): Promise<void> {
    await this.put({ action: "remove", place: index, hand: null, why });
  }

  private async put(body: Omit<HandBody, "id" | "follows">, drafted = false): Promise<void> {
    const id = newId();
    const entry = { event: this.event, game: this.game, at: new Date().toISOString(), refused: "", conflict: null };
    const shown = this.waiting;
    this.waiting = [...shown, { ...entry, order: Number.MAX_SAFE_INTEGER, body: { ...body, id, follows: "" } }];
    const follows = following(this.info ?? NOTHING_YET, await store.waiting(this.game), shown);
    await store.add({ ...entry, body: { ...body, id, follows } }, drafted);
    await this.look();
    await flush();
  }

  /** Decide a conflict of the first entry that waits. */
  async decide(decision: Decision): Promise<void> {
    await this.requeue(decided(this.waiting, decision));
  }

  /** Give up an entry that waits. */
  async drop(id: string): Promise<void> {
    await this.requeue(without(this.waiting, id, this.info?.head ?? ""));
  }

  /** Send again what was refused, with a reason if one is asked for. */
  async retry(why: string): Promise<void> {
    const [first, ...rest] = rebased(this.waiting, this.info?.head ?? "");
    if (first) await this.requeue([{ ...first, body: { ...first.body, why: why || first.body.why } }, ...rest]);
  }

  private async requeue(waiting: Waiting[]): Promise<void> {
    await store.replace(this.game, waiting);
    await this.look();
    await flush();
    await this.refresh();
  }

  async confirm(seat: number | null, everybody = false): Promise<void> {
    await this.take(
      await send("POST /api/events/{event}/games/{game}/confirm", {
        path: { event: this.event, game: this.game },
        body: { head: this.info?.head ?? "", seat, everybody },
      }),
    );
  }

  /** End the game by its points; `revision` is that of the points that are replaced. */
  async end(end: GameEnd, revision: number | null): Promise<void> {
    await this.take(
      await send("POST /api/events/{event}/games/{game}/points", {
        path: { event: this.event, game: this.game },
        body: { ...end, revision },
      }),
    );
  }

  async call(version: string | null, why: string): Promise<void> {
    await send("POST /api/events/{event}/calls", {
      path: { event: this.event },
      body: { kind: version ? "dispute" : "call", game: this.game, version, why },
    });
    await this.refresh();
  }
}

/** What is kept of the rules; an older page kept too little of them. */
function wholeTable(kept: KeptEvent | null): PaymentsInfo | null {
  const table = kept?.table as Partial<PaymentsInfo> | undefined;
  return table?.options ? (kept?.table ?? null) : null;
}

function outlook(preview: PreviewInfo, estimate: Outlook, index: number): Outlook | null {
  const settled = preview.hands[index];
  if (!settled) return null;
  return {
    ...estimate,
    row: { ...estimate.row, ...settled },
    over: preview.over && index === preview.hands.length - 1,
    refused: "",
  };
}

/** Fetch an event with its entries and payments, and keep it; null if the server cannot be asked. Throws `Refused` if there is no such event. */
export async function loadEvent(event: string): Promise<KeptEvent | null> {
  try {
    const [info, { entries }, table] = await Promise.all([
      send("GET /api/events/{event}", { path: { event } }),
      send("GET /api/events/{event}/entries", { path: { event } }),
      send("GET /api/events/{event}/payments", { path: { event } }),
    ]);
    const kept = { id: event, info, entries, table };
    learnYaku(info.own_yaku);
    await store.keepEvent(kept);
    return kept;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) throw error;
    return null;
  }
}
