// A question to the lab: starting it, polling for the answer, and stopping it.
import type { LabInfo, LabQuestion } from "$generated/wire";
import { Refused, send } from "$data/requests";
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
