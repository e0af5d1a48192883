// A form on data that others may change while it is open: edited fields stay as typed, the others follow the changes.
import { changedFields, rebased } from "$domain/changedFields";
import { t } from "$domain/words.svelte";
import { notify } from "$data/notices.svelte";
import { Refused } from "$data/requests";

interface Parts<Saved, Draft extends object, Body extends object> {
  read: (saved: Saved) => Draft;
  body: (draft: Draft) => Body;
  /** Load the current value; the server refuses changes to an older version. */
  load: () => Promise<Saved>;
  store: (changed: Partial<Body>, saved: Saved) => Promise<Saved>;
}

export class EditForm<Saved, Draft extends object, Body extends object> {
  saved: Saved;
  draft: Draft;
  readonly changed: Partial<Body>;
  readonly dirty: boolean;

  constructor(
    saved: Saved,
    private readonly parts: Parts<Saved, Draft, Body>,
  ) {
    const { read, body } = parts;
    this.saved = $state.raw(saved);
    this.draft = $state(read(saved));
    this.changed = $derived(changedFields(body(this.draft), body(read(this.saved))));
    this.dirty = $derived(Object.keys(this.changed).length > 0);
  }

  reset(saved: Saved = this.saved): void {
    this.saved = saved;
    this.draft = this.parts.read(saved);
  }

  async save(): Promise<void> {
    const { read, load, store } = this.parts;
    try {
      this.reset(await store(this.changed, this.saved));
    } catch (error) {
      if (error instanceof Refused && error.code.endsWith("_moved_on")) {
        const now = await load();
        this.draft = rebased($state.snapshot(this.draft) as Draft, read(this.saved), read(now));
        this.saved = now;
      }
      throw error;
    }
    notify(t("desk.settings.saved"));
  }
}
