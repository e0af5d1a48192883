// Something that is loaded at once, and again whenever it may have changed.
import { Refused } from "../net/requests";
import { complain } from "../ui/notices.svelte";

const HIDDEN = "standings_hidden";

export class Fresh<Value> {
  value = $state.raw<Value | null>(null);
  /** What it was before it was loaded again. */
  before = $state.raw<Value | null>(null);
  private latest = 0;

  constructor(private readonly get: () => Promise<Value>) {}

  async load(): Promise<void> {
    const turn = ++this.latest;
    try {
      const found = await this.get();
      if (turn < this.latest) return; // a later request is on its way
      this.before = this.value;
      this.value = found;
    } catch (error) {
      if (turn < this.latest) return;
      // Hidden since the page was told of the event; the event that is loaded now says so in its place
      if (error instanceof Refused && error.code === HIDDEN) this.value = null;
      else complain(error);
    }
  }
}
