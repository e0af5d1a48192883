// An async action behind a button, which is disabled while it runs; errors are shown.
import { showError } from "$data/notices.svelte";

export class AsyncAction {
  busy = $state(false);

  /** Run the action unless one is running: a second click may come before the button is disabled. */
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

  /** The attributes of a button that starts the action. */
  button(work: () => Promise<unknown>, disabled = false) {
    return { type: "button", disabled: this.busy || disabled, onclick: () => this.run(work) } as const;
  }

  /** A submit handler that runs the action. */
  submitted(work: () => Promise<unknown>): (event: SubmitEvent) => Promise<void> {
    return async (event) => {
      event.preventDefault();
      await this.run(work);
    };
  }
}
