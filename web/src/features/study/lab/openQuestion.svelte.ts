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

  /** Ask, and look at the answer as it comes in. */
  async ask(start: () => Promise<LabQuestion>): Promise<void> {
    await this.stop();
    this.#show(await start());
    if (this.#left) await this.stop();
  }

  /** Look at a question that has been asked. */
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
    if (this.open && !this.#left) this.#plan(question.id);
  }

  #plan(id: string): void {
    this.#timer = window.setTimeout(() => void this.#look(id), LOOK_MS);
  }

  async #look(id: string): Promise<void> {
    try {
      await this.watch(id);
    } catch (error) {
      if (!(error instanceof Refused && (error.status === GONE || error.code === "offline"))) showError(error);
      else if (!this.#left) this.#plan(id);
    }
  }
}

let asking: Promise<LabInfo> | null = null;

/** What this server allows; asked once. */
export function labLimits(): Promise<LabInfo> {
  asking ??= send("GET /api/lab", {});
  asking.catch(() => (asking = null));
  return asking;
}

const GAMES = [100, 200, 500, 1000, 2000, 5000, 10_000];

/** How many games somebody may choose: up to the most that are allowed. */
export function gamesUpTo(most: number): number[] {
  const counts = GAMES.filter((games) => games < most);
  return most > 0 ? [...counts, most].slice(-5) : [];
}
