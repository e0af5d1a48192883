// Work that a tap starts: its button is disabled meanwhile, and what goes wrong is shown.
import { showError } from "$data/notices.svelte";

export class AsyncAction {
  busy = $state(false);

  /** Does nothing while earlier work runs: a second click may come before its button is disabled. */
  async run(work: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await work();
    } catch (error) {
      showError(error);
    } finally {
      this.busy = false;
    }
  }

  /** The attributes of a button that starts work. */
  button(work: () => Promise<unknown>, disabled = false) {
    return { type: "button", disabled: this.busy || disabled, onclick: () => this.run(work) } as const;
  }

  /** The same for a form: what its submit event starts. */
  submitted(work: () => Promise<unknown>): (event: SubmitEvent) => Promise<void> {
    return async (event) => {
      event.preventDefault();
      await this.run(work);
    };
  }
}
