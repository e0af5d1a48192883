// Something that is loaded at once, and again whenever it may have changed.
import { complain } from "../ui/notices.svelte";

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
      if (turn === this.latest) complain(error);
    }
  }
}
