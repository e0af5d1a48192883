import { createContext } from "svelte";
import { readStored, writeStored } from "$data/deviceStorage";
import { newId } from "$data/newId";
import { learnYaku } from "$domain/ownYakuNames.svelte";
import type { HandBody, RecordedGameInfo } from "$generated/wire";
import { Refused, send } from "$data/requests";
import type { GameEnd } from "../desk/gameEnd";
import { EventSocket } from "$data/eventSocket.svelte";
import type { Hand } from "$domain/enteredHand";
import { handInWords, handSummary, type HandInWords } from "$domain/handInWords";
import { beginDraw, beginWin, EMPTY_DRAFT, toggled, handOf, type Draft } from "./handDraft";
import { flush, startSending, store } from "./sending.svelte";
import { project, refusalWords, type Projection, type Refusal, type Row, type UnsentEntry } from "./projection";
import { initialState, countedWins, type GameState } from "./settlement";
import { roundName } from "$domain/game/roundName";
import { t } from "$domain/words.svelte";
import { resolved, lastId, rebased, missingFrom, without, type Decision, type QueuedHand } from "./queue";
import type { StoredEvent } from "./offlineStore";

export interface Target {
  action: "add" | "insert" | "replace";
  place: number;
}

export interface Estimate {
  row: Row;
  hands: Hand[];
  /** Whether the game ends with this hand; if `optional`, the dealer decides. */
  over: boolean;
  optional: boolean;
  refused: string;
}

export type SheetName =
  "" | "win" | "draw" | "foul" | "hands" | "hand" | "history" | "queue" | "menu" | "end" | "points" | "others";

interface View {
  /** The seat at the bottom of the screen; null for the user's own. */
  nearest: number | null;
  /** Whether each plate faces its player, for a phone in the middle of the table. */
  turned: boolean;
}

const VIEW = "jantaku.recorder.view";
const PREVIEW_MS = 2500;
const EMPTY_GAME = { head: "", hands: [] };

export const [currentSession, provideSession] = createContext<Session>();

export class Session {
  stored = $state.raw<StoredEvent | null>(null);
  info = $state.raw<RecordedGameInfo | null>(null);
  waiting = $state.raw<QueuedHand[]>([]);
  draft = $state.raw<Draft>(EMPTY_DRAFT);
  target = $state.raw<Target | null>(null);
  sheet = $state<SheetName>("");
  picked = $state<number | null>(null);
  index = $state(0);
  view = $state.raw<View>({ nearest: null, turned: false, ...(readStored(VIEW) as Partial<View> | null) });
  online = $state(navigator.onLine);
  loadError = $state("");
  startProblem = $state("");
  private pausedDraft: Draft = EMPTY_DRAFT;
  private cleanups: (() => void)[] = [];
  readonly table = $derived(this.stored?.table ?? null);
  readonly projection = $derived.by(() => this.project());
  readonly rows = $derived(this.projection?.rows ?? []);
  readonly names = $derived(this.info?.seats.map((seat) => seat.name) ?? []);
  readonly running = $derived(this.info?.status === "playing" || this.info?.status === "over");
  readonly ownSeat = $derived.by(() => {
    const entry = this.stored?.info.entry?.id;
    const seat = entry ? (this.info?.seats.findIndex((player) => player.entry === entry) ?? -1) : -1;
    return seat < 0 ? null : seat;
  });
  readonly nearest = $derived(this.view.nearest ?? this.ownSeat ?? 0);
  readonly gameState = $derived.by((): GameState | null => {
    if (!this.table || !this.projection) return null;
    if (!this.target) return this.projection.next;
    const { place } = this.target;
    const { number, honba, deposits } = this.rows[place] ?? this.projection.next;
    return { number, honba, deposits, scores: this.rows[place - 1]?.scores ?? initialState(this.table).scores };
  });
  /** Whether only a referee may change the hand; a reason is required. */
  readonly locked = $derived(
    this.target !== null && (!this.running || this.rows[this.target.place]?.known?.trust === "locked"),
  );

  constructor(
    readonly event: string,
    readonly game: string,
  ) {}

  private get path(): { event: string; game: string } {
    return { event: this.event, game: this.game };
  }

  private project(...more: UnsentEntry[]): Projection | null {
    if (!this.info || !this.table) return null;
    const waiting = missingFrom(this.info, this.waiting).map(({ body }) => body);
    return project(this.info, [...waiting, ...more], this.table);
  }

  private winners(hand: Hand): number[] | null {
    return this.table && countedWins(hand, this.table).map(({ seat }) => seat);
  }

  describe(hand: Hand): HandInWords {
    return handInWords(hand, this.names, this.winners(hand));
  }

  summary(hand: Hand): string {
    return handSummary(hand, this.names, this.winners(hand));
  }

  async open(): Promise<void> {
    const [event, game, draft] = await Promise.all([
      store.get("events", this.event),
      store.get("games", this.game),
      store.get("drafts", this.game),
    ]);
    this.stored = event ?? null;
    learnYaku(event?.info.own_yaku);
    this.info = game?.info ?? null;
    this.draft = draft ?? EMPTY_DRAFT;
    await this.reloadQueue();
    const socket = new EventSocket(this.event, () => void this.refresh());
    socket.open();
    this.cleanups.push(
      startSending((changed) => this.handleSent(changed)),
      () => socket.close(),
    );
    const reloadEvent = async (): Promise<void> => {
      this.stored = (await loadEvent(this.event).catch(() => null)) ?? this.stored;
    };
    await Promise.all([reloadEvent(), this.refresh()]);
  }

  setView(changes: Partial<View>): void {
    this.view = { ...this.view, ...changes };
    writeStored(VIEW, this.view);
  }

  show(sheet: SheetName): void {
    this.picked = null;
    this.sheet = sheet;
  }

  showHand(index: number): void {
    this.index = index;
    this.show("hand");
  }

  close(): void {
    this.cleanups.forEach((stop) => stop());
  }

  async refresh(): Promise<void> {
    try {
      const info = await send("GET /api/events/{event}/games/{game}", { path: this.path });
      await this.applyInfo(info);
    } catch (error) {
      this.online = !(error instanceof Refused && error.code === "offline");
      if (this.online && !this.waiting.length && !this.info)
        this.loadError = error instanceof Error ? error.message : "";
    }
  }

  private async applyInfo(info: RecordedGameInfo): Promise<void> {
    this.online = true;
    if (this.info && info.revision < this.info.revision) return;
    this.info = info;
    await store.put("games", { id: this.game, event: this.event, info });
  }

  private async handleSent(game: string): Promise<void> {
    if (game !== this.game) return;
    await this.refresh(); // before the queue, so that the sent hand never disappears in between
    await this.reloadQueue();
  }

  async reload(): Promise<void> {
    this.info ??= (await store.get("games", this.game))?.info ?? null;
    await this.reloadQueue();
  }

  async reloadQueue(): Promise<void> {
    this.waiting = await store.waiting(this.game);
    this.startProblem = (await store.starting()).find((starting) => starting.body.id === this.game)?.refused ?? "";
  }

  estimate(hand: Hand): Estimate | null {
    const { action, place } = this.target ?? { action: "add", place: this.rows.length };
    const projection = this.project({ id: "draft", action, place, hand });
    const row = projection?.rows[place];
    if (!projection || !row) return null;
    const { rows, over, optional, refused } = projection;
    const why = refused ? this.refusalWords(refused.refusal) : "";
    return {
      row,
      hands: rows.map((each) => each.hand),
      over: over && place === rows.length - 1,
      optional,
      refused:
        refused && refused.at > place ? t("recorder.refused.later", { hand: this.nameOf(rows[refused.at]), why }) : why,
    };
  }

  private refusalWords(refusal: Refusal): string {
    return this.table ? refusalWords(refusal, this.names, this.table) : "";
  }

  private nameOf(row: Row | undefined): string {
    return roundName(row?.number ?? 0, this.names.length);
  }

  get problem(): string {
    const refused = this.projection?.refused;
    return refused ? `${this.nameOf(this.rows[refused.at])}: ${this.refusalWords(refused.refusal)}` : "";
  }

  /** Ask the server to settle the hand; null if it does not answer. */
  async settleRemotely(estimate: Estimate): Promise<Estimate | null> {
    try {
      const timeout = AbortSignal.timeout(PREVIEW_MS);
      const preview = await send(
        "POST /api/events/{event}/games/{game}/preview",
        { path: this.path, body: { hands: estimate.hands } },
        timeout,
      );
      const at = this.target?.place ?? estimate.hands.length - 1;
      const settled = preview.hands[at];
      if (!settled) return null;
      const over = preview.over && at === preview.hands.length - 1;
      return { ...estimate, row: { ...estimate.row, ...settled }, over, refused: "" };
    } catch (error) {
      const answered = error instanceof Refused && error.code !== "offline" && error.status < 500;
      return answered ? { ...estimate, refused: error.message } : null;
    }
  }

  change(changes: Partial<Draft>): void {
    this.draft = { ...this.draft, ...changes };
    if (!this.target) void store.put("drafts", $state.snapshot(this.draft) as Draft, this.game);
  }

  toggleRiichi(seat: number): void {
    this.change({ riichi: toggled(this.draft.riichi, seat) });
  }

  beginWin(from: number, winner: number): void {
    this.change(beginWin(this.draft, from, winner));
  }

  beginDraw(): void {
    if (this.draft.end !== "abort" && this.draft.end !== "draw") this.change(beginDraw(this.draft));
  }

  startEdit(target: Target, draft: Draft): void {
    if (!this.target) this.pausedDraft = this.draft;
    this.target = target;
    this.draft = draft;
  }

  cancelEdit(): void {
    this.target = null;
    this.draft = this.pausedDraft;
    this.pausedDraft = EMPTY_DRAFT;
  }

  /** Enter the drafted hand: store it on this device, then send it. */
  async enter(why = ""): Promise<void> {
    const hand = handOf(this.draft);
    if (!hand) return;
    const target = this.target;
    const body = { action: target?.action ?? "add", place: target?.place ?? null, hand, why };
    if (target) this.cancelEdit();
    else this.draft = EMPTY_DRAFT;
    await this.put(body, target === null);
  }

  async remove(index: number, why = ""): Promise<void> {
    await this.put({ action: "remove", place: index, hand: null, why });
  }

  private async put(body: Omit<HandBody, "id" | "follows">, drafted = false): Promise<void> {
    const id = newId();
    const entry = { event: this.event, game: this.game, at: new Date().toISOString(), refused: "", conflict: null };
    const displayed = this.waiting;
    this.waiting = [...displayed, { ...entry, order: Number.MAX_SAFE_INTEGER, body: { ...body, id, follows: "" } }];
    const follows = lastId(this.info ?? EMPTY_GAME, await store.waiting(this.game), displayed);
    await store.add({ ...entry, body: { ...body, id, follows } }, drafted);
    await this.reloadQueue();
    await flush();
  }

  async resolve(decision: Decision): Promise<void> {
    await this.requeue(resolved(this.waiting, decision));
  }

  async drop(id: string): Promise<void> {
    await this.requeue(without(this.waiting, id, this.info?.head ?? ""));
  }

  async retry(why: string): Promise<void> {
    const [first, ...rest] = rebased(this.waiting, this.info?.head ?? "");
    if (first) await this.requeue([{ ...first, body: { ...first.body, why: why || first.body.why } }, ...rest]);
  }

  private async requeue(waiting: QueuedHand[]): Promise<void> {
    await store.replace(this.game, waiting);
    await this.reloadQueue();
    await flush();
    await this.refresh();
  }

  async confirm(seat: number | null, everybody = false): Promise<void> {
    await this.applyInfo(
      await send("POST /api/events/{event}/games/{game}/confirm", {
        path: this.path,
        body: { head: this.info?.head ?? "", seat, everybody },
      }),
    );
  }

  async end(end: GameEnd, revision: number | null): Promise<void> {
    await this.applyInfo(
      await send("POST /api/events/{event}/games/{game}/points", {
        path: this.path,
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

/** Fetch an event with its entries and payments and store it; null if the server is unreachable. Throws `Refused` (404) for an unknown event. */
export async function loadEvent(event: string): Promise<StoredEvent | null> {
  try {
    const [info, { entries }, table] = await Promise.all([
      send("GET /api/events/{event}", { path: { event } }),
      send("GET /api/events/{event}/entries", { path: { event } }),
      send("GET /api/events/{event}/payments", { path: { event } }),
    ]);
    const stored = { id: event, info, entries, table };
    learnYaku(info.own_yaku);
    await store.put("events", stored);
    return stored;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) throw error;
    return null;
  }
}
