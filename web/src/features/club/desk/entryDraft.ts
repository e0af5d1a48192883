// The form of a person: only what was changed in it is sent, whatever others have changed meanwhile.
import type { EntryPatch } from "$generated/wire";

export interface EntryDraft {
  name: string;
  team: string;
  account: string;
}

/** What to send; `before` is the entry as it was when the form was opened. */
export function entryChanges(draft: EntryDraft, before: Pick<EntryDraft, "name" | "team">): EntryPatch {
  const [name, team, account] = [draft.name.trim(), draft.team.trim(), draft.account.trim()];
  return {
    ...(name === before.name ? {} : { name }),
    ...(team === before.team ? {} : { team }),
    ...(account ? { account } : {}),
  };
}
