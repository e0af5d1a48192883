// A question to the lab: starting it, polling for the answer, stopping it, and the estimates of the answer as text.
import type { ChoiceRow, LabInfo, LabQuestion, LabRow } from "$generated/wire";
import type { Action } from "$domain/game/choices";
import { Refused, send } from "$data/requests";
import { formatted, t } from "$domain/words.svelte";
import { showError } from "$data/notices.svelte";

const POLL_MS = 1000;
const GONE = 503; // the worker process has ended and another one replaces it

export class OpenQuestion {
  question = $state.raw<LabQuestion | null>(null);
  readonly open = $derived(this.question !== null && ["waiting", "working"].includes(this.question.state));
  #timer = 0;
  #left = false;

  async ask(start: () => Promise<LabQuestion>): Promise<void> {
    await this.stop();
    this.#show(await start());
    if (this.#left) await this.stop();
  }

  async watch(id: string): Promise<void> {
    this.#show(await send("GET /api/lab/questions/{question}", { path: { question: id } }));
  }

  /** Stop the computation; the answer so far stays. */
  async stop(): Promise<void> {
    window.clearTimeout(this.#timer);
    const question = this.question;
    if (!question || !this.open) return;
    await send("DELETE /api/lab/questions/{question}", { path: { question: question.id } });
    if (!this.#left) await this.watch(question.id);
  }

  /** Call when the page is left. */
  leave(): void {
    this.#left = true;
    window.clearTimeout(this.#timer);
    if (this.question?.kind === "hand") this.stop().catch(() => undefined);
  }

  forget(): void {
    this.stop().catch(showError);
    this.question = null;
  }

  #show(question: LabQuestion): void {
    this.question = question;
    if (this.open) this.#pollAgain(question.id);
  }

  #pollAgain(id: string): void {
    if (this.#left) return;
    this.#timer = window.setTimeout(() => {
      this.watch(id).catch((error: unknown) => {
        if (error instanceof Refused && (error.status === GONE || error.code === "offline")) this.#pollAgain(id);
        else showError(error);
      });
    }, POLL_MS);
  }
}

let limitsRequest: Promise<LabInfo> | null = null;

const GAMES = [100, 200, 500, 1000, 2000, 5000, 10_000];

/** The number of games for a question, up to the server's limit; a limit of 0 means that there is no lab. */
export class GameCount {
  max = $state(0);
  games = $state(0);
  readonly choices = $derived([...GAMES.filter((games) => games < this.max), this.max].slice(-5));

  constructor(kind: "rules_games" | "hand_games", usual: number) {
    limitsRequest ??= send("GET /api/lab", {});
    limitsRequest
      .then((limits) => {
        this.max = limits[kind];
        this.games = Math.min(usual, this.max);
      })
      .catch((error: unknown) => {
        limitsRequest = null;
        showError(error);
      });
  }
}

/** A value with the lower and upper end of its interval. */
export type Triple = readonly number[];
type Shape = "share" | "points" | "number" | "place" | "final";

const DIGITS: Record<Shape, number> = { share: 1, points: 0, number: 2, place: 2, final: 1 };
const UNIT: Record<Shape, number> = { share: 0.01, points: 1, number: 1, place: 1, final: 1000 };
const SIGNED: ReadonlySet<Shape> = new Set(["final"]);

function figure(value: number, shape: Shape, withSign: boolean): string {
  return formatted(value / UNIT[shape], {
    minimumFractionDigits: DIGITS[shape],
    maximumFractionDigits: DIGITS[shape],
    signDisplay: withSign ? "exceptZero" : "auto",
  });
}

/** The value without its interval: `21.3%`, `2.31`. */
export function valueOf(triple: Triple | null, shape: Shape): string {
  if (!triple) return "–";
  const text = figure(triple[0] ?? 0, shape, SIGNED.has(shape));
  return shape === "share" ? `${text}%` : text;
}

/** Half the width of the interval: `± 0.08`. */
export function spreadOf(triple: Triple | null, shape: Shape): string {
  if (!triple) return "";
  return `± ${figure(((triple[2] ?? 0) - (triple[1] ?? 0)) / 2, shape, false)}`;
}

/** A difference: `+1.2 pp`, `+189`. */
export function changeOf(triple: Triple | null, shape: Shape): string {
  if (!triple) return "–";
  const text = figure(triple[0] ?? 0, shape, true);
  return shape === "share" ? t("lab.pp", { value: text }) : text;
}

/** The interval of a difference: `−0.4 … +2.8`. */
export function rangeOf(triple: Triple | null, shape: Shape): string {
  return triple ? `${figure(triple[1] ?? 0, shape, true)} … ${figure(triple[2] ?? 0, shape, true)}` : "";
}

export function isClear(triple: Triple | null | undefined): boolean {
  return Boolean(triple && ((triple[1] ?? 0) > 0 || (triple[2] ?? 0) < 0));
}

/** The clarity of a difference: its size in half intervals. */
function clarity(row: LabRow): number {
  const [value = 0, low = 0, high = 0] = row.change ?? [];
  return Math.abs(value) / Math.max(1e-12, (high - low) / 2);
}

export function clearest(rows: readonly LabRow[]): LabRow[] {
  return rows.filter((row) => row.clear).toSorted((a, b) => clarity(b) - clarity(a));
}

/** Half the range of a common scale for the rows of a kind. */
export function scaleOf(rows: readonly LabRow[], kind: LabRow["kind"]): number {
  const ends = rows.filter((row) => row.kind === kind).flatMap((row) => (row.change ?? []).map(Math.abs));
  return Math.max(1e-12, ...ends);
}

/** Whether an action is the choice of a row. */
export function isChoice(action: Action | null, { how, tile }: Pick<ChoiceRow, "how" | "tile">): boolean {
  if (!action) return false;
  const named = ("riichi" in action && action.riichi) || ("kind" in action && action.kind) || action.type;
  return named === how && tile === ("tile" in action ? action.tile : null);
}
