// A question to the lab: asked, looked at until it is answered, and stopped.
import type { LabInfo, LabQuestion } from "$generated/wire";
import { Refused, send } from "$data/requests";
import { showError } from "$data/notices.svelte";

const LOOK_MS = 1000;
const GONE = 503; // the process that works on it has ended, and another takes its place

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

  /** Stop the work; what is known stays. */
  async stop(): Promise<void> {
    window.clearTimeout(this.#timer);
    const asked = this.question;
    if (!asked || !this.open) return;
    await send("DELETE /api/lab/questions/{question}", { path: { question: asked.id } });
    if (!this.#left) await this.watch(asked.id);
  }

  /** The page goes: nobody looks any more. */
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
    if (this.open) this.#lookAgain(question.id);
  }

  #lookAgain(id: string): void {
    if (this.#left) return;
    this.#timer = window.setTimeout(() => {
      this.watch(id).catch((error: unknown) => {
        if (error instanceof Refused && (error.status === GONE || error.code === "offline")) this.#lookAgain(id);
        else showError(error);
      });
    }, LOOK_MS);
  }
}

let asking: Promise<LabInfo> | null = null;

const GAMES = [100, 200, 500, 1000, 2000, 5000, 10_000];

/** How many games a question asks for, up to the most that this server allows; there is no lab where that is none. */
export class GamesAsked {
  most = $state(0);
  games = $state(0);
  readonly choices = $derived([...GAMES.filter((games) => games < this.most), this.most].slice(-5));

  constructor(kind: "rules_games" | "hand_games", usual: number) {
    asking ??= send("GET /api/lab", {});
    asking
      .then((limits) => {
        this.most = limits[kind];
        this.games = Math.min(usual, this.most);
      })
      .catch((error: unknown) => {
        asking = null;
        showError(error);
      });
  }
}
